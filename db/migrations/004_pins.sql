-- When a person said which session the binding's agent has, and what was known of it
-- before; NULL: nobody did, or a hook has told more since.
ALTER TABLE bindings ADD COLUMN pinned_at INTEGER;
ALTER TABLE bindings ADD COLUMN before_pin TEXT;
