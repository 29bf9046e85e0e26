-- Bots, and who answers a conversation.

create table bot (
  workspace_id uuid not null references workspace (id),
  id           uuid not null,
  name         text not null,
  kind         text not null check (kind in ('flow', 'ai', 'external')),
  status       text not null default 'draft' check (status in ('draft', 'live', 'paused', 'archived')),
  -- what the next version will be made of
  draft        jsonb not null,
  -- the version that answers; null: none was published
  version      integer,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  primary key (workspace_id, id)
);
create index bot_live on bot (workspace_id) where status = 'live';

-- What was published. A row is never changed.
create table bot_version (
  workspace_id uuid not null,
  bot_id       uuid not null,
  number       integer not null,
  document     jsonb not null,
  -- the actor, as the audit names it
  published_by text not null,
  published_at timestamptz not null,
  note         text,
  -- published although cases failed
  untested     boolean not null default false,
  primary key (workspace_id, bot_id, number),
  foreign key (workspace_id, bot_id) references bot (workspace_id, id) on delete cascade
);

-- Who answers a conversation. There is a row only where a live bot has met the conversation, and it is written only under the
-- conversation's lock. `version` rises with each change of the handler: a bot's reply is stored only at the version that
-- it was made at.
create table bot_thread (
  workspace_id    uuid not null,
  conversation_id uuid not null,
  handler         text not null check (handler in ('nobody', 'bot', 'person')),
  version         bigint not null default 1,
  -- the bot that answers, or that answered last, and its run
  bot_id          uuid,
  run_id          uuid,
  -- the last resolve or give-back: what was said until then is not of this run
  since           timestamptz not null,
  -- why the bot handed over, until the conversation is resolved or given back
  handed_reason   text,
  changed_at      timestamptz not null,
  primary key (workspace_id, conversation_id),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id) on delete cascade
);
create index bot_thread_bot on bot_thread (workspace_id, conversation_id) where handler = 'bot';
create index bot_thread_handed on bot_thread (workspace_id, conversation_id) where handed_reason is not null;

-- Conversations in which a customer wrote, and which a live bot may answer. The inbound statement writes the row.
create table bot_due (
  workspace_id    uuid not null,
  conversation_id uuid not null,
  since           timestamptz not null,
  -- when a worker looks at it
  due_at          timestamptz not null,
  primary key (workspace_id, conversation_id),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id) on delete cascade
);
create index bot_due_order on bot_due (due_at);

-- One bot in one conversation.
create table bot_run (
  workspace_id    uuid not null,
  id              uuid not null,
  bot_id          uuid not null,
  version         integer not null,
  conversation_id uuid not null,
  kind            text not null check (kind in ('flow', 'ai', 'external')),
  -- ready: a worker goes on at `due_at`; calling: a call is under way; waiting: for the customer, or until `due_at`
  state           text not null check (state in ('ready', 'waiting', 'calling', 'ended')),
  step            text,
  variables       jsonb not null default '{}' check (octet_length(variables::text) <= 16384),
  -- the steps that were taken, the last 200: [{step, type, at, …}]
  steps           jsonb not null default '[]',
  -- when it goes on; null: only the customer moves it
  due_at          timestamptz,
  -- since when the customer waits for the bot's answer; null: answered
  asked_at        timestamptz,
  fence           integer not null default 0,
  lease_until     timestamptz,
  began_at        timestamptz not null,
  ended_at        timestamptz,
  outcome         text check (outcome in ('resolved', 'assisted', 'handed_over', 'abandoned')),
  reason          text,
  -- what the bot said of the talk when it handed over
  summary         text,
  topic           text,
  -- answers that reached the customer
  turns           integer not null default 0,
  -- the customer wrote again within seven days after it was resolved
  reopened_at     timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, bot_id) references bot (workspace_id, id) on delete cascade,
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id) on delete cascade,
  check ((state = 'ended') = (ended_at is not null))
);
create unique index bot_run_open on bot_run (workspace_id, conversation_id) where state <> 'ended';
create index bot_run_thread on bot_run (workspace_id, conversation_id, id desc);
create index bot_run_of_bot on bot_run (workspace_id, bot_id, began_at desc);
create index bot_run_due on bot_run (due_at) where state <> 'ended' and due_at is not null;
create index bot_run_leased on bot_run (lease_until) where lease_until is not null;
