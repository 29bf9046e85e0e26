-- For how long a workspace keeps messages, files and events. Without a row: messages and files for good, events 30 days.
create table retention (
  workspace_id   uuid primary key references workspace (id),
  -- null: for good
  message_months smallint check (message_months between 1 and 120),
  file_months    smallint check (file_months between 1 and 120),
  -- null: 30 days
  event_days     smallint check (event_days between 7 and 30),
  -- nothing is deleted before; a shorter time moves it a day ahead
  begins_at      timestamptz not null,
  changed_at     timestamptz not null,
  -- the pass of the deletion: its step, and the last id that it looked at in it
  step           text not null default 'messages' check (step in ('messages', 'files', 'notes', 'runs', 'events')),
  at_id          uuid not null default '00000000-0000-0000-0000-000000000000',
  -- when the next batch is due; null: nothing is to be deleted
  due_at         timestamptz,
  -- the end of the last whole pass
  passed_at      timestamptz,
  -- messages older than this were looked at by a whole pass
  passed_before  timestamptz,
  -- deleted since the times were made shorter last
  messages       bigint not null default 0,
  files          bigint not null default 0,
  notes          bigint not null default 0,
  events         bigint not null default 0
);
create index retention_due on retention (due_at) where due_at is not null;

-- The platform's ids of messages that were deleted before they were 90 days old: a platform that repeats one does not make
-- it again. Empty where messages are kept for three months and longer, and a row goes when its message would be 90 days old.
create table forgotten_message (
  workspace_id        uuid not null,
  -- nil UUID for SMS
  channel_id          uuid not null,
  provider_message_id text not null,
  -- when the message was stored
  stored_at           timestamptz not null,
  primary key (workspace_id, channel_id, provider_message_id)
);
create index forgotten_message_age on forgotten_message (stored_at);
