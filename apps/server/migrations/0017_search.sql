-- Search in what customers and people wrote. Texts of campaigns are not in it: they enter neither table, so campaigns pay nothing.

-- The words of one message, folded and marked with the workspace (messages/search/search-terms.ts). It goes with the message,
-- and knows no conversation: joined conversations move their messages only.
create table message_search (
  workspace_id uuid not null,
  message_id   uuid not null,
  terms        tsvector not null,
  primary key (workspace_id, message_id),
  foreign key (workspace_id, message_id) references message (workspace_id, id) on delete cascade
);
-- The list of new entries that a search reads one by one is kept short.
create index message_search_terms on message_search using gin (terms)
  with (fastupdate = on, gin_pending_list_limit = 512);

-- Messages that are new or say something else than before. The statement that stores a message adds its row, 2 µs instead of
-- the 35 of its words; a worker takes it. No index: rows are taken from the beginning.
create table message_search_due (
  workspace_id uuid not null,
  message_id   uuid not null
) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0.01);

-- Of each workspace with messages that are older than the search: those below this id are still to come in, the newest first.
-- The row goes when all are there. A restored database brings its own.
create table message_search_backfill (
  workspace_id uuid primary key,
  below        uuid not null
);
insert into message_search_backfill
select id, 'ffffffff-ffff-ffff-ffff-ffffffffffff' from workspace w
where exists (select 1 from message m where m.workspace_id = w.id);
