package server

import "time"

// start lends the terminal to the server, which k tells, or else begins to send what is
// typed.
func (c *client) start(k kind) error {
	if c.pipe {
		c.startTyping()
	} else {
		select { // of a time before
		case <-c.back:
		default:
		}
		c.mine = false
	}
	switch {
	case k == kindResumed: // the size with it
		return c.sendSize(k)
	case c.pipe:
		return nil
	}
	return c.send(k, nil)
}

// takeBack takes back a terminal that was lent, unless the server gave it back already.
// It waits for the server at most d; of one that does not answer nothing is known.
func (c *client) takeBack(d time.Duration) {
	if c.pipe || c.mine {
		return
	}
	select {
	case owed := <-c.back:
		c.settle(owed)
		return
	default:
	}
	if d <= 0 || c.send(kindGive, nil) != nil {
		return
	}
	timeout := time.NewTimer(d)
	defer timeout.Stop()
	select {
	case owed := <-c.back:
		c.settle(owed)
	case <-c.lost:
	case <-timeout.C:
	}
}

// settle notes that the terminal is ours, and how many of its answers are to come.
func (c *client) settle(owed byte) {
	c.mine = true
	c.fenced.Lock()
	defer c.fenced.Unlock()
	c.fence = fence{asked: int(owed)}
}

// question is what has to be asked of the terminal before it is given to the shell: the
// server may have asked it something, and went without telling. Its answer is awaited.
func (c *client) question() string {
	if c.pipe || c.mine {
		return ""
	}
	c.settle(1)
	return "\x1b[c"
}
