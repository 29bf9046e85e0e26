-- What signs the calls to an external bot's address.
create table bot_secret (
  workspace_id uuid not null,
  bot_id       uuid not null,
  sealed       bytea not null,
  made_at      timestamptz not null,
  primary key (workspace_id, bot_id),
  foreign key (workspace_id, bot_id) references bot (workspace_id, id) on delete cascade
);

-- The call of an external bot's turn that waits for an answer, and what the turn was made of.
create table bot_call (
  workspace_id   uuid not null,
  run_id         uuid not null,
  fence          integer not null,
  thread_version bigint not null,
  seen           uuid[] not null,
  called_at      timestamptz not null,
  primary key (workspace_id, run_id),
  foreign key (workspace_id, run_id) references bot_run (workspace_id, id) on delete cascade
);
