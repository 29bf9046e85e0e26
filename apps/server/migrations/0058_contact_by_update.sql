-- A program that keeps a copy reads contacts in the order of their last change. last_seen_at alone does not move updated_at,
-- so a message of a known contact adds no entry.
create index contact_by_update on contact (workspace_id, updated_at, id);
