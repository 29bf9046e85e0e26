-- The room that uploads without a message take, by workspace: read before each upload.
create index media_unsent on media (workspace_id) include (author, size)
  where direction = 'outbound' and message_id is null and delete_at is not null and bytes_id is null;
