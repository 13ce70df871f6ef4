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
	if hold {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.busy += l.most
		return
	}
	for range l.most {
		l.give()
	}
}

// Changed is an environment with changes.
var Changed = applied

// DroppedWords say that prompts were dropped.
var DroppedWords = droppedWords

// Lives is how many terminals are known.
func (c *Coordinator) Lives() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.lives)
}
