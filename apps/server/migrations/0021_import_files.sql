-- A file of contacts that a member uploaded, and how far its import is. Its bytes are an upload (media) that goes when the
-- import has ended. What the import has taken in is told by contact_import, as for a file of the command line.
create table import_file (
  workspace_id uuid not null references workspace (id),
  id           uuid not null,
  media_id     uuid not null,
  file_name    text not null,
  file_size    bigint not null,
  file_hash    bytea not null,
  format       text not null check (format in ('csv', 'jsonl')),
  -- as the bytes look; options may say another
  encoding     text not null,
  -- uploaded: nobody has started it; waiting: for a worker; running: a worker has it; stopped: the file could not be read on
  state        text not null check (state in ('uploaded', 'waiting', 'running', 'done', 'stopped', 'failed', 'cancelled')),
  -- how it is read and matched, once it was started
  options      jsonb,
  -- failed: why
  reason       text,
  -- the import it became (contact_import), known when a worker first has it
  import_id    uuid,
  bytes_read   bigint not null default 0,
  -- the run in hand: since when, and after how many rows it began
  run_at       timestamptz,
  run_rows     bigint not null default 0,
  -- tries in a row that came nowhere
  tries        smallint not null default 0,
  -- when a worker may take it; of a running one, when its lease ends. Null: nothing is to be done
  available_at timestamptz,
  -- the process that has it
  claimed_by   uuid,
  -- the member, as the audit names it, with the role it had
  author       text not null,
  author_role  text not null,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  finished_at  timestamptz,
  primary key (workspace_id, id)
);
create index import_file_due on import_file (available_at) where available_at is not null;
