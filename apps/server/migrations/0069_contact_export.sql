-- What a program asked to export: which contacts, which members of them. The file itself is not stored: it is written while it
-- is read, so that nothing of a person is kept twice.
create table contact_export (
  workspace_id  uuid not null,
  id            uuid not null,
  -- The saved segment; its definition is read when the file is.
  segment_id    uuid,
  definition    jsonb,
  -- The members of a contact in their order.
  fields        text[] not null,
  format        text not null check (format in ('csv', 'jsonl')),
  author        text not null,
  created_at    timestamptz not null,
  primary key (workspace_id, id)
);
