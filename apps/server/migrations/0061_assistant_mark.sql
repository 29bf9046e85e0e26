-- What an assistant did with a key: which contacts and conversations it read (for ten minutes), what it sent (for an hour),
-- which campaigns it started (for a day). `ref` is the record, or the number of the sending.
create table assistant_mark (
  workspace_id uuid not null,
  api_key_id   uuid not null,
  kind         text not null check (kind in ('read', 'send', 'start')),
  ref          uuid not null,
  at           timestamptz not null,
  primary key (workspace_id, api_key_id, kind, ref)
);
create index assistant_mark_at on assistant_mark (at);
