-- A person signs in once, in however many workspaces they work. Until now each member had a password of its own.
create table login (
  id            uuid primary key,
  -- trimmed, lower case; the same as in each of the person's members
  email         text not null unique,
  -- argon2id in PHC form; null until a password is set
  password_hash text,
  created_at    timestamptz not null
);

-- One login for each address. Where several members of it had a password, the one that was added first keeps it.
insert into login (id, email, password_hash, created_at)
select distinct on (email) id, email, password_hash, created_at
from member order by email, password_hash is null, created_at, id;

alter table member add column login_id uuid references login (id);
update member m set login_id = l.id from login l where l.email = m.email;
alter table member alter column login_id set not null;
-- Nothing reads member.password_hash from here on. It stays, so that a version before this one finds its column.
-- a login's workspaces, and that nobody is a member of one twice
create unique index member_by_login on member (login_id, workspace_id);

-- A signed-in browser.
create table session (
  -- sha256 of the secret in the cookie
  token_hash    bytea primary key,
  workspace_id  uuid not null,
  member_id     uuid not null,
  id            uuid not null,
  created_at    timestamptz not null,
  -- of the last request, an hour late at most
  seen_at       timestamptz not null,
  expires_at    timestamptz not null,
  -- of the last time that the password was asked for
  proven_at     timestamptz not null,
  -- the address and the browser, which the person knows it by
  ip            text not null,
  agent         text not null,
  foreign key (workspace_id, member_id) references member (workspace_id, id) on delete cascade
);
create unique index session_by_member on session (workspace_id, member_id, id);
create index session_by_end on session (expires_at);
