-- The language model of a workspace, and the key that opens it.
create table model (
  workspace_id    uuid primary key references workspace (id),
  protocol        text not null check (protocol in ('openai-chat', 'anthropic-messages')),
  url             text not null,
  -- A workspace named the address: it is called through the address guard.
  url_guarded     boolean not null,
  name            text not null,
  second_name     text,
  key_sealed      bytea not null,
  -- Money, in the workspace's own currency: what a million tokens cost, and what may be spent.
  input_price     numeric(12, 6),
  output_price    numeric(12, 6),
  cost_per_day    numeric(12, 4),
  cost_per_month  numeric(12, 4),
  updated_at      timestamptz not null
);

-- Where the emulated model of the sandbox listens now: at most one row.
create table model_emulation (
  only_one  boolean primary key default true check (only_one),
  url       text not null
);
