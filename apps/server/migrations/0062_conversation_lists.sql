-- Lists of conversations for programs: by assignee, by label, unread ones, and in the order of their last change.

-- Who has a conversation does not change with each message, so messages add no entry.
create index conversation_by_assignee on conversation (workspace_id, assignee_id, id);
create index desk_label_list on desk_label (workspace_id, label, conversation_id);

-- When the row last changed. It is written under the lock of the workspace's numbers, so it rises in the order of the commits,
-- and a program that reads on from it misses nothing. Older rows count as changed now.
alter table desk_conversation
  add column changed_at timestamptz not null default now(),
  -- whether the customer wrote something that nobody has read; null in older rows until they change: the conversation says it
  add column unread boolean;
alter table desk_conversation alter column changed_at set default clock_timestamp();
create index desk_by_time on desk_conversation (workspace_id, changed_at, conversation_id);
create index desk_unread on desk_conversation (workspace_id, conversation_id) where unread is not false;
