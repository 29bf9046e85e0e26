-- The logo in the head of a chat window. The channel's setting `logo` holds the digest of the picture that is shown.
create table chat_logo (
  workspace_id  uuid not null references workspace (id),
  channel_id    uuid not null,
  -- the first 32 hex digits of the picture's SHA-256; part of its address, so that a browser keeps a picture for good
  digest        text not null,
  mime_type     text not null,
  bytes         bytea not null,
  primary key (workspace_id, channel_id)
);
