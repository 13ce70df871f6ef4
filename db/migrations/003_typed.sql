-- In whose shell a person typed this agent: its process is that shell's child, in
-- the same pane. NULL: it has a pty of its own.
ALTER TABLE terminals ADD COLUMN shell TEXT;

CREATE INDEX terminals_shell ON terminals (shell) WHERE shell IS NOT NULL;
