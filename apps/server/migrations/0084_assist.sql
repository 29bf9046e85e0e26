-- What members ask a model for while they write: summaries, translations, other words. No text is kept, only its cost: an
-- open row holds the most that it may cost, as an open turn does.
create table assist_call (
  workspace_id    uuid not null,
  id              uuid not null,
  kind            text not null check (kind in ('summary', 'translation', 'rewriting')),
  -- null: text that belongs to no conversation
  conversation_id uuid,
  -- the actor, as the audit names it
  asked_by        text not null,
  status          text not null default 'open' check (status in ('open', 'done', 'failed')),
  tokens          integer not null default 0,
  cost            double precision not null,
  ms              integer not null default 0,
  lease_until     timestamptz not null,
  created_at      timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, conversation_id) references conversation (workspace_id, id) on delete cascade
);
create index assist_call_spent on assist_call (workspace_id, created_at);
create index assist_call_thread on assist_call (workspace_id, conversation_id) where conversation_id is not null;
create index assist_call_old on assist_call (created_at);
create index assist_call_leased on assist_call (lease_until) where status = 'open';

-- The turn that wrote a message, for the thread.
create index ai_turn_of_message on ai_turn (workspace_id, message_id) where message_id is not null;
-- What bots did in a time, for their results.
create index bot_run_began on bot_run (workspace_id, began_at);
create index suggestion_of_bots on suggestion (workspace_id, created_at) where author like 'bot:%';
