-- The inbox follows the events of its workspace: replies of programs, failures that come later, conversations that were joined.

-- Up to which event the inbox has followed. What happened before is in its rows already, or shown when a customer writes.
create table desk_follow (
  workspace_id uuid primary key,
  at           bigint not null
);
insert into desk_follow select workspace_id, last from event_sequence;

-- Conversations that left the inbox because they are no more, so that pages that were away hear of it.
create table desk_gone (
  workspace_id    uuid not null,
  conversation_id uuid not null,
  -- its number among the changes of the inbox; null: not given yet
  change          bigint,
  primary key (workspace_id, conversation_id)
);
create index desk_gone_by_change on desk_gone (workspace_id, change);
create index desk_gone_new on desk_gone (workspace_id, conversation_id) where change is null;
