-- Search in notes. The words are those of message_search: folded and marked with the workspace. Members write notes, and few of
-- them, so the statement that stores a note stores its words too. Null: a note that is older than the search and still to come in.
alter table note add column terms tsvector;
create index note_terms on note using gin (terms) with (fastupdate = on, gin_pending_list_limit = 512);
-- The notes still to come in; empty once all are there.
create index note_unsearched on note (workspace_id, id) where terms is null and deleted_at is null;
