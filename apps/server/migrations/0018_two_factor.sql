-- The second step of a sign-in: codes of an app, and codes on paper for when the app is lost.
alter table login
  -- the secret that the codes are made of, sealed; null: two-factor is off
  add column totp_sealed bytea,
  -- the half minute of the last code that was taken: no code counts twice
  add column totp_step   bigint;

create table recovery_code (
  login_id uuid not null references login (id) on delete cascade,
  -- keyed; the key is not in the database
  hash     bytea not null,
  primary key (login_id, hash)
);

-- Somebody who gave the password and not yet the code. It opens nothing but the question for the code.
create table sign_in_step (
  -- sha256 of the secret in the cookie
  token_hash   bytea primary key,
  workspace_id uuid not null,
  member_id    uuid not null,
  expires_at   timestamptz not null,
  foreign key (workspace_id, member_id) references member (workspace_id, id) on delete cascade
);
create index sign_in_step_by_member on sign_in_step (workspace_id, member_id);
create index sign_in_step_by_end on sign_in_step (expires_at);

-- A mail to one person that waits for the mail server.
create table letter (
  id       uuid primary key,
  -- to whom and about what, sealed: a link in it opens an account
  sealed   bytea not null,
  -- the actor that caused it
  author   text not null,
  attempts integer not null default 0,
  due_at   timestamptz not null
);
create index letter_by_due on letter (due_at);

alter table workspace
  -- members without two-factor set it up before anything else
  add column two_factor_required boolean not null default false,
  -- of members who chose none, and of mails; null: the browser's
  add column locale text check (locale in ('en', 'ar')),
  -- an owner had it deleted: nobody is let in any more, and a worker removes it
  add column removal_asked_at timestamptz;
create index workspace_by_removal on workspace (removal_asked_at) where removal_asked_at is not null;

-- Whether conversations that are opened again come back to this member.
alter table member add column availability text not null default 'online'
  check (availability in ('online', 'away'));
