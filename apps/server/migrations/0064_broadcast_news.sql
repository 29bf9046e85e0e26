-- Recipients whose state moved, in workspaces where an endpoint names `broadcast.recipient`. A worker makes an event of each
-- row and deletes it. Elsewhere no row is written.
create table broadcast_news (
  workspace_id  uuid not null,
  id            bigint generated always as identity,
  broadcast_id  uuid not null,
  -- the contact under which the recipient is stored
  contact_id    uuid not null,
  message_id    uuid,
  -- null: skipped when the audience was stored
  previous      text,
  status        text not null,
  -- why it was skipped, or the code of what failed, and the platform's words
  reason        text,
  detail        text,
  at            timestamptz not null,
  primary key (workspace_id, id)
);
