-- A reply that a program proposes and a member sends. `author` is the actor as the audit names it, `author_name` how it is
-- called. `template` is what the template is filled with, when the reply is one; `text` is then the filled text. Of one
-- author at most one waits in a conversation.
create table suggestion (
  workspace_id    uuid not null,
  id              uuid not null,
  conversation_id uuid not null,
  author          text not null,
  author_name     text,
  state           text not null check (state in ('open', 'used', 'edited', 'discarded')),
  text            text not null,
  template        jsonb,
  reason          text,
  sources         jsonb not null default '[]',
  created_at      timestamptz not null,
  settled_at      timestamptz,
  settled_by      text,
  message_id      uuid,
  primary key (workspace_id, id),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id) on delete cascade
);
create index suggestion_thread on suggestion (workspace_id, conversation_id, id desc);
create unique index suggestion_open on suggestion (workspace_id, conversation_id, author) where state = 'open';
create index suggestion_settled on suggestion (settled_at) where state <> 'open';
