-- A server of a build before stores were may still run, and writes bindings alone: what
-- noteStores goes over has those, too.
INSERT OR IGNORE INTO stores (kind, home) SELECT DISTINCT kind, home FROM bindings;

CREATE TRIGGER bindings_noted AFTER INSERT ON bindings BEGIN
	INSERT INTO stores (kind, home) VALUES (new.kind, new.home) ON CONFLICT DO NOTHING;
END;
