package agent

// Abandon leaves the coordinator as a killed process would: nothing more is
// written, whatever runs under way is dropped.
func (c *Coordinator) Abandon() {
	c.mu.Lock()
	c.stopping = true
	c.mu.Unlock()
	c.cancel()
	c.work.Wait()
}

// Turn lets the loop look once.
func (c *Coordinator) Nudge() { c.nudge() }

// Hold keeps the queue from moving.
func (c *Coordinator) Hold(hold bool) {
	l := c.limit
	l.mu.Lock()
	if hold {
		l.busy += l.most
	} else {
		l.busy -= l.most - 1
	}
	l.mu.Unlock()
	if !hold {
		l.give()
	}
}

// Changed is an environment with changes.
var Changed = applied
