-- The inbox of the dashboard. Its rows are written by customers and people only, so that campaigns and replies of programs
-- pay nothing for them.

-- The last number of a change in the workspace's inbox. It is raised under the lock that events take anyway.
alter table event_sequence add column desk bigint not null default 0;

create table desk_conversation (
  workspace_id      uuid not null,
  conversation_id   uuid not null,
  channel_id        uuid not null,
  status            text not null,
  assignee_id       uuid,
  labels            text[] not null default '{}',
  -- when a customer or a person last did something
  desk_at           timestamptz not null,
  -- since when the customer waits for an answer; null: answered
  waiting_since     timestamptz,
  snoozed_until     timestamptz,
  window_expires_at timestamptz,
  last_inbound_id   uuid,
  last_outbound_id  uuid,
  -- at most 140 characters of the last thing that was said
  preview           text not null default '',
  preview_kind      text not null default 'text',
  preview_side      text not null default 'customer' check (preview_side in ('customer', 'us', 'note')),
  inbound_count     integer not null default 0,
  -- our last message was not delivered
  failed            boolean not null default false,
  change            bigint not null,
  primary key (workspace_id, conversation_id),
  -- Erasures and merges delete conversations: what they said goes with them.
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id) on delete cascade
) with (fillfactor = 70);
create index desk_by_status on desk_conversation (workspace_id, status, desk_at, conversation_id);
create index desk_by_assignee on desk_conversation (workspace_id, assignee_id, status, desk_at, conversation_id);
create index desk_by_channel on desk_conversation (workspace_id, channel_id, status, desk_at, conversation_id);
create index desk_by_change on desk_conversation (workspace_id, change);
create index desk_snoozed on desk_conversation (snoozed_until) where snoozed_until is not null;
-- whoever waits longest; of the answered ones there are too many
create index desk_waiting on desk_conversation (workspace_id, waiting_since, conversation_id)
  where waiting_since is not null and status = 'open';
create index desk_window on desk_conversation (workspace_id, window_expires_at)
  where window_expires_at is not null and status = 'open';

-- Finds a label's conversations; by a filter a label that no open one has cost 280 ms of a million rows.
create table desk_label (
  workspace_id    uuid not null,
  label           text not null,
  status          text not null,
  desk_at         timestamptz not null,
  conversation_id uuid not null,
  primary key (workspace_id, label, status, desk_at, conversation_id),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id) on delete cascade
);
create index desk_label_of on desk_label (workspace_id, conversation_id);

-- What of a conversation is one member's own.
create table desk_read (
  workspace_id    uuid not null,
  member_id       uuid not null,
  conversation_id uuid not null,
  -- how many of the customer's messages the member has seen
  seen            integer not null default 0,
  -- a note names the member, who has not opened the conversation since
  mentioned       boolean not null default false,
  primary key (workspace_id, member_id, conversation_id),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id) on delete cascade
);
create index desk_mentioned on desk_read (workspace_id, member_id) where mentioned;
create index desk_read_of on desk_read (workspace_id, conversation_id);

-- The labels that an admin gave a color.
create table label (
  workspace_id uuid not null,
  name         text not null,
  color        text not null,
  primary key (workspace_id, name)
);

-- How far the conversations that are older than the inbox have come into it. The row goes when all are there.
create table desk_backfill (
  only_one        boolean primary key default true check (only_one),
  at_workspace    uuid not null,
  at_conversation uuid not null
);
-- A new database has nothing to bring in, and a restored one brings its own row.
insert into desk_backfill
select true, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'
where exists (select 1 from conversation);
