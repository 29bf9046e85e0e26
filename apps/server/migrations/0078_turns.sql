-- What models were asked and answered. A row that is open is the reservation of one AI reply of its month: it is given back
-- where the turn ends without a text for a customer or a member.
create table ai_turn (
  workspace_id    uuid not null,
  id              uuid not null,
  bot_id          uuid not null,
  version         integer not null,
  conversation_id uuid not null,
  run_id          uuid,
  status          text not null default 'open'
    check (status in ('open', 'sent', 'suggested', 'superseded', 'handed_over', 'failed')),
  -- the first day of the month in which it was reserved
  month           date not null,
  decision        text,
  text            text,
  reason          text,
  -- chunks that the answer cites, as they were: [{chunkId, title, text}]
  sources         jsonb not null default '[]',
  checks          jsonb not null default '[]',
  -- what the model was shown, and the document that it answered
  request         jsonb,
  answer          jsonb,
  tokens          integer not null default 0,
  cost            double precision not null default 0,
  ms              integer not null default 0,
  lease_until     timestamptz not null,
  message_id      uuid,
  created_at      timestamptz not null,
  settled_at      timestamptz,
  rated_good      boolean,
  rating          text,
  primary key (workspace_id, id),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id) on delete cascade,
  foreign key (workspace_id, bot_id) references bot (workspace_id, id) on delete cascade
);
create index ai_turn_thread on ai_turn (workspace_id, conversation_id, id desc);
create index ai_turn_of_bot on ai_turn (workspace_id, bot_id, id desc);
create index ai_turn_spent on ai_turn (workspace_id, created_at);
create index ai_turn_old on ai_turn (created_at);
create index ai_turn_leased on ai_turn (lease_until) where status = 'open';

-- AI replies of a month: turns that are sent, suggested or open. `ai_announced`: the highest threshold that was told.
alter table usage_month add column ai_used bigint not null default 0;
alter table usage_month add column ai_announced smallint not null default 0;
