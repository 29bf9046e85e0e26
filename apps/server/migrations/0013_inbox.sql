-- What people write for each other and for themselves around a conversation. Rows of a conversation go with it.

-- A note between members; customers never see it. A deleted one keeps its place and loses its text.
create table note (
  workspace_id    uuid not null,
  id              uuid not null,
  conversation_id uuid not null,
  member_id       uuid not null,
  text            text not null,
  mentions        uuid[] not null default '{}',
  created_at      timestamptz not null,
  edited_at       timestamptz,
  deleted_at      timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id) on delete cascade
);
create index note_thread on note (workspace_id, conversation_id, id desc);

-- Of a message that a member wrote: the id that the writer's browser gave it, so that a repeated request finds the message
-- that the first one stored; and the failed message that it repeats.
create table message_author (
  workspace_id uuid not null,
  message_id   uuid not null,
  member_id    uuid not null,
  client_id    uuid not null,
  resend_of    uuid,
  primary key (workspace_id, message_id),
  unique (workspace_id, client_id),
  foreign key (workspace_id, message_id) references message (workspace_id, id) on delete cascade
);

-- What a member has begun to write in a conversation: one draft each, on all of the member's devices.
create table draft (
  workspace_id    uuid not null,
  member_id       uuid not null,
  conversation_id uuid not null,
  mode            text not null check (mode in ('reply', 'note')),
  text            text not null,
  media           uuid[] not null default '{}',
  updated_at      timestamptz not null,
  primary key (workspace_id, member_id, conversation_id),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id) on delete cascade
);
create index draft_of_conversation on draft (workspace_id, conversation_id);

-- Texts to be inserted by a word. `member_id` null: everybody's.
create table saved_reply (
  workspace_id uuid not null references workspace (id),
  id           uuid not null,
  member_id    uuid,
  shortcut     text not null,
  title        text not null,
  text         text not null,
  media        uuid[] not null default '{}',
  created_at   timestamptz not null,
  primary key (workspace_id, id)
);
-- a word means one shared text, and one of the member's own
create unique index saved_reply_shortcut on saved_reply
  (workspace_id, coalesce(member_id, '00000000-0000-0000-0000-000000000000'), shortcut);

-- Views of the inbox that people made. `member_id` null: everybody's.
create table desk_view (
  workspace_id uuid not null references workspace (id),
  id           uuid not null,
  member_id    uuid,
  name         text not null,
  filter       jsonb not null,
  created_at   timestamptz not null,
  primary key (workspace_id, id)
);

-- What one member is told. That of a note goes with the note's text.
create table member_notice (
  workspace_id    uuid not null,
  member_id       uuid not null,
  id              uuid not null,
  kind            text not null check (kind in ('mention', 'assigned', 'import', 'export', 'campaign', 'system')),
  subject         text not null,
  body            text not null,
  -- a path of the dashboard; null: it leads nowhere
  ref             text,
  conversation_id uuid,
  note_id         uuid,
  created_at      timestamptz not null,
  read_at         timestamptz,
  primary key (workspace_id, member_id, id),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id) on delete cascade
);
create index member_notice_unread on member_notice (workspace_id, member_id) where read_at is null;
create index member_notice_of_conversation on member_notice (workspace_id, conversation_id) where conversation_id is not null;
