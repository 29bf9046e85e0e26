-- Cases of a bot: a question, or a talk, with what its answer must hold. They are run before a bot is published.
create table bot_case (
  workspace_id    uuid not null,
  id              uuid not null,
  bot_id          uuid not null,
  -- rises with each change: a result counts only for the case that it was worked off with
  version         integer not null default 1,
  -- [{from, text}], at most six lines; the customer has the last
  talk            jsonb not null check (octet_length(talk::text) <= 65536),
  must_hold       jsonb not null default '[]' check (octet_length(must_hold::text) <= 32768),
  must_not_hold   jsonb not null default '[]' check (octet_length(must_not_hold::text) <= 32768),
  -- ids of sources, or their ids at their origin
  sources         jsonb not null default '[]' check (octet_length(sources::text) <= 16384),
  decision        text check (decision in ('answer', 'clarify', 'hand_over', 'silent')),
  lang            text check (lang in ('en', 'ar')),
  -- whose words they are; null: a member wrote them
  contact_id      uuid,
  -- how it was answered last
  last_run_id     uuid,
  last_passed     boolean,
  -- right answers of that run, and all
  last_right      integer not null default 0,
  last_asked      integer not null default 0,
  last_at         timestamptz,
  -- what its last answers rest on: by source, a print of its chunks
  cited           jsonb not null default '{}',
  created_by      text not null,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, bot_id) references bot (workspace_id, id) on delete cascade
);
create index bot_case_of_bot on bot_case (workspace_id, bot_id, id);
create index bot_case_contact on bot_case (workspace_id, contact_id) where contact_id is not null;

-- One run over cases of a bot, with the document that answered.
create table case_run (
  workspace_id uuid not null,
  id           uuid not null,
  bot_id       uuid not null,
  -- the published version that was asked for; null: the draft
  version      integer,
  document     jsonb not null,
  -- how often each case is asked
  repeat       integer not null check (repeat between 1 and 10),
  -- a member or a program asked for it; or sources changed
  why          text not null check (why in ('asked', 'sources')),
  state        text not null default 'running' check (state in ('running', 'done', 'stopped')),
  -- why it stopped
  reason       text,
  -- what the answers cost
  cost         double precision not null default 0,
  started_by   text not null,
  created_at   timestamptz not null,
  moved_at     timestamptz not null,
  ended_at     timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, bot_id) references bot (workspace_id, id) on delete cascade,
  check ((state = 'running') = (ended_at is null))
);
create index case_run_of_bot on case_run (workspace_id, bot_id, id desc);
create index case_run_spent on case_run (workspace_id, created_at);
create index case_run_moving on case_run (workspace_id, moved_at);
create index case_run_old on case_run (ended_at) where ended_at is not null;

-- One case of a run. A waiting one is claimed by a worker for one answer at a time.
create table case_result (
  workspace_id uuid not null,
  run_id       uuid not null,
  case_id      uuid not null,
  bot_id       uuid not null,
  place        integer not null,
  state        text not null default 'waiting' check (state in ('waiting', 'passed', 'failed', 'stopped')),
  -- [{decision, text, sources, checks, difference, …}], one for each time that it was asked
  answers      jsonb not null default '[]' check (octet_length(answers::text) <= 262144),
  -- the case's version at its first answer, and the knowledge's
  case_version integer,
  knowledge    bigint,
  -- whether the case passed before this run
  passed_before boolean not null default false,
  -- the most that the call under way may cost: it counts as spent
  held         double precision not null default 0,
  fence        integer not null default 0,
  due_at       timestamptz not null,
  lease_until  timestamptz,
  primary key (workspace_id, run_id, case_id),
  foreign key (workspace_id, run_id) references case_run (workspace_id, id) on delete cascade,
  foreign key (workspace_id, case_id) references bot_case (workspace_id, id) on delete cascade
);
create index case_result_case on case_result (workspace_id, case_id);
create index case_result_due on case_result (due_at) where state = 'waiting';
create index case_result_leased on case_result (lease_until) where lease_until is not null;

-- The change of a workspace's knowledge up to which its cases were looked at.
create table case_look (
  workspace_id uuid primary key,
  version      bigint not null
);
