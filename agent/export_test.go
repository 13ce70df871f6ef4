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
	c.mu.Lock()
	defer c.mu.Unlock()
	if hold {
		c.running += c.cfg.Settings.Parallel
		return
	}
	c.running -= c.cfg.Settings.Parallel
	c.dispatch()
}
