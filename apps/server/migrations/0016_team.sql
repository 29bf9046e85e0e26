-- A disabled member is signed out everywhere, cannot sign in and takes no seat. What they wrote stays.
alter table member add column disabled_at timestamptz;

-- Somebody who was asked to join. Takes a seat until it ends.
create table invitation (
  workspace_id uuid not null references workspace (id),
  id           uuid not null,
  -- sha256 of the secret in the link
  token_hash   bytea not null unique,
  -- trimmed, lower case
  email        text not null,
  role         text not null check (role in ('owner', 'admin', 'agent')),
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, email)
);

-- A link by which somebody chooses a new password, once.
create table password_reset (
  -- sha256 of the secret in the link
  token_hash bytea primary key,
  -- the newest link alone works
  login_id   uuid not null unique references login (id) on delete cascade,
  expires_at timestamptz not null
);
