-- The workspace is the first column of every key and of every index that a request uses, so that tables can be
-- distributed by it and no query reads across workspaces. Ids are UUIDv7 made in Node. Tables that take a row per
-- message carry no foreign keys: their rows are written in the same transaction as what they refer to, and a key
-- check per row costs more than the row.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;
-- Whoever made them may have put them into a schema of their own; until this migration ends they are found there.
select set_config('search_path', concat_ws(', ', nullif(current_setting('search_path'), ''),
  (select string_agg(distinct quote_ident(n.nspname), ', ') from pg_extension e
    join pg_namespace n on n.oid = e.extnamespace where e.extname in ('pg_trgm', 'btree_gin'))), true);

-- What is upper and lower case, whatever locale the database has: in a Turkish one the lower case of INFO is ınfo, in one
-- of locale C only A to Z have one.
do $$
begin
  if current_setting('server_version_num')::int >= 170000 then
    create collation letters (provider = builtin, locale = 'C.UTF-8');
  else
    begin
      create collation letters (provider = libc, locale = 'C.UTF-8');
    exception when others then
      -- no such locale on this system
      create collation letters (provider = icu, locale = 'und');
    end;
  end if;
end $$;

-- The form in which texts are compared without regard to case, as foldText makes it in Node (contacts/contact.ts). One
-- expression, so that a query has it in place of the call and an index over it is found; it names its text once, which
-- may have to be read out of JSON. NFC costs 1.6 µs a name: an é of one character and one of two are one letter.
create function folded(held text) returns text language sql immutable parallel safe
  return replace(replace(lower(normalize(held, nfc) collate letters), U&'i\0307', 'i'), 'ς', 'σ');

-- One of the spellings of a number that has two, as contacts/other-spelling.ts knows them, and of any other the number
-- itself: two contacts with one line are one address of a campaign. Numbers of other countries are told by a digit.
create function one_spelling(number text) returns text language sql immutable parallel safe
  return case
    when number not like '5%' then number
    when number ~ '^55[1-9][1-9]9[6-9][0-9]{7}$' then left(number, 4) || substr(number, 6)
    when number ~ '^(521[2-9]|549[1-3])[0-9]{9}$' then left(number, 2) || substr(number, 4)
    else number end;

-- Tells the master key that secrets are sealed with from another one: a process that was given that does not start.
create table master_key (
  only_one      boolean primary key default true check (only_one),
  mark          text not null
);

-- ---------------------------------------------------------------- workspaces

create table workspace (
  id            uuid primary key,
  name          text not null,
  plan          text not null check (plan in ('free', 'starter', 'growth', 'business')),
  -- Overrides of the plan's limits: {"messages": 5}. A key with null means unlimited.
  limits        jsonb not null default '{}',
  -- null: sends are not counted against a balance
  sms_credits   integer check (sms_credits >= 0),
  suspended_at  timestamptz,
  -- IANA name: of campaigns that are given none, and of the days of reports
  time_zone     text not null default 'UTC',
  created_at    timestamptz not null
);

create table member (
  workspace_id  uuid not null references workspace (id),
  id            uuid not null,
  email         text not null,
  name          text not null,
  role          text not null check (role in ('owner', 'admin', 'agent')),
  -- argon2id in PHC form; null until a password is set
  password_hash text,
  created_at    timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, email)
);

-- What admins are told (disabled endpoint, paused campaign, channel in error). `dedupe` keeps it to one.
create table notice (
  workspace_id  uuid not null references workspace (id),
  id            uuid not null,
  kind          text not null,
  subject       text not null,
  body          text not null,
  dedupe        text not null,
  created_at    timestamptz not null,
  mail_attempts integer not null default 0,
  -- when to mail it (again); null: mailed, given up, or nothing to mail
  mail_due_at   timestamptz,
  primary key (workspace_id, id),
  unique (workspace_id, dedupe)
);
create index notice_unmailed on notice (mail_due_at) where mail_due_at is not null;

create table audit_entry (
  workspace_id  uuid not null references workspace (id),
  id            uuid not null,
  actor         text not null,
  action        text not null,
  subject       text not null,
  facts         jsonb not null default '{}',
  created_at    timestamptz not null,
  primary key (workspace_id, id)
);
-- what happened to one contact: few rows, written by people and merges
create index audit_entry_by_subject on audit_entry (workspace_id, subject, id);

-- ---------------------------------------------------------------- usage

-- The quota: one row per workspace and UTC month, moved only by conditional updates.
create table usage_month (
  workspace_id  uuid not null,
  month         date not null,
  used          bigint not null default 0,
  -- highest threshold already announced: 0, 80 or 100
  announced     smallint not null default 0,
  primary key (workspace_id, month)
);

-- The meter by channel. The nil UUID stands for SMS, which is no channel.
create table usage_channel (
  workspace_id  uuid not null,
  month         date not null,
  channel_id    uuid not null,
  sent          bigint not null default 0,
  received      bigint not null default 0,
  failed        bigint not null default 0,
  ai_replies    bigint not null default 0,
  primary key (workspace_id, month, channel_id)
);

-- ---------------------------------------------------------------- API keys

create table api_key (
  workspace_id  uuid not null references workspace (id),
  id            uuid not null,
  name          text not null,
  public_key    text not null unique,
  -- SHA-256 of a 256-bit random secret: no salt or slow hash is needed for that
  secret_hash   bytea not null,
  -- empty: full access
  scopes        text[] not null default '{}',
  expires_at    timestamptz,
  revoked_at    timestamptz,
  last_used_at  timestamptz,
  created_at    timestamptz not null,
  primary key (workspace_id, id)
);

create table idempotency_key (
  workspace_id  uuid not null,
  api_key_id    uuid not null,
  key           text not null,
  -- HMAC under a key that is not in the database: a hash of a six-digit passcode could be guessed
  fingerprint   bytea not null,
  -- null while an effect that needs a call outside the transaction is under way (OTP)
  status_code   smallint,
  body          text,
  created_at    timestamptz not null,
  primary key (workspace_id, api_key_id, key)
);
create index idempotency_key_age on idempotency_key (created_at);

-- Exact sliding limits when several API processes share a database: the stamps that still count, oldest first.
create unlogged table rate_window (
  key           text primary key,
  stamps        double precision[] not null,
  -- what the last check of this key came to
  allowed       boolean not null
);

-- ---------------------------------------------------------------- webhooks

create table endpoint (
  workspace_id          uuid not null references workspace (id),
  id                    uuid not null,
  url                   text not null,
  -- empty: all kinds
  events                text[] not null default '{}',
  secret_sealed         bytea not null,
  -- the former secret signs too until then
  old_secret_sealed     bytea,
  old_secret_until      timestamptz,
  consecutive_failures  integer not null default 0,
  -- Until then the endpoint belongs to one worker, or rests after a failure. This one lease per endpoint stands in for
  -- a lease per delivery: it keeps "one at a time" true over processes and saves a write for each delivery.
  busy_until            timestamptz,
  disabled_at           timestamptz,
  disabled_reason       text,
  -- since it was last enabled by hand: what failed before begins a new round of the retry schedule
  enabled_at            timestamptz,
  -- set: what waits for its next try since before it was enabled is still being made due, batch by batch
  hastening             boolean not null default false,
  created_at            timestamptz not null,
  primary key (workspace_id, id)
-- Leased and given back all the time: with room on its page a new row version needs no entry in an index, and the old
-- one goes when the page is next read. A vacuum that cuts off empty pages would lock everybody out.
) with (fillfactor = 50, vacuum_truncate = false);
create index endpoint_hastening on endpoint (workspace_id, id) where hastening;

-- One row per workspace: the last sequence given out. Locked last in every transaction, so that the order of
-- sequences is the order of commits and the feed has no gaps.
create table event_sequence (
  workspace_id  uuid primary key,
  last          bigint not null
) with (fillfactor = 50);

create table event (
  workspace_id  uuid not null,
  sequence      bigint not null,
  id            uuid not null,
  type          text not null,
  -- the exact bytes that are delivered; never serialised again
  body          text not null,
  created_at    timestamptz not null,
  primary key (workspace_id, sequence)
-- What is a month old goes all day, from the beginning of both indexes, and every page of the feed asks for the oldest that
-- is kept: it passes over what went until a vacuum, which would come after a fifth of the table, six days of it.
) with (autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_scale_factor = 0.01, vacuum_truncate = false);
-- Ids rise with time: this finds an event by the id a receiver saw, and the old ones to be pruned.
create index event_by_id on event (id);

-- One event for one endpoint. Being sent is no state of its own: the endpoint's lease covers it. Neither is being held:
-- what is pending waits while its endpoint is disabled, so that disabling and enabling write one row, whatever waits.
create table delivery (
  workspace_id    uuid not null,
  endpoint_id     uuid not null,
  event_sequence  bigint not null,
  state           text not null check (state in ('pending', 'delivered', 'exhausted')),
  -- all attempts ever made; also the fence: only the next number can be recorded
  attempts        smallint not null default 0,
  -- failures of this round of the retry schedule; a redelivery starts a new round
  round_failures  smallint not null default 0,
  -- the message of a message's event: an endpoint gets those of one message in order
  order_key       uuid,
  next_attempt_at timestamptz not null,
  -- The last attempt. One that was acknowledged is told here and nowhere else: most deliveries get through at the
  -- first attempt and are then one row, written twice.
  attempted_at    timestamptz,
  duration_ms     integer,
  status_code     smallint,
  answer          text,
  created_at      timestamptz not null,
  primary key (workspace_id, endpoint_id, event_sequence)
-- A queue: each row is written twice, and a claim passes over the dead entries of "delivery_due" until a vacuum. So it
-- comes after 10,000 and one in a hundred, and always goes through the indexes.
) with (autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_scale_factor = 0.01, vacuum_index_cleanup = on,
  vacuum_truncate = false);
create index delivery_due on delivery (workspace_id, endpoint_id, next_attempt_at, event_sequence)
  where state = 'pending';
-- whether an earlier event of the same message still waits
create index delivery_order on delivery (workspace_id, endpoint_id, order_key, event_sequence)
  where state = 'pending' and order_key is not null;
-- what can be sent again
create index delivery_failed on delivery (workspace_id, endpoint_id, event_sequence) where state = 'exhausted';

-- attempts that failed, and those acknowledged before the event was sent again by hand
create table delivery_attempt (
  workspace_id    uuid not null,
  endpoint_id     uuid not null,
  event_sequence  bigint not null,
  number          smallint not null,
  attempted_at    timestamptz not null,
  duration_ms     integer not null,
  status_code     smallint,
  -- dns, connect, tls, timeout, blocked, status …; null when acknowledged
  failure         text,
  -- the first bytes of the answer
  answer          text,
  primary key (workspace_id, endpoint_id, event_sequence, number)
);

-- ---------------------------------------------------------------- channels

create table channel (
  workspace_id    uuid not null references workspace (id),
  id              uuid not null,
  type            text not null check (type in ('WHATSAPP', 'MESSENGER', 'INSTAGRAM', 'TELEGRAM', 'TIKTOK', 'WEB')),
  name            text not null,
  status          text not null check (status in ('connected', 'error', 'disconnected')),
  status_reason   text,
  external_id     text not null,
  -- null: the platform's own address
  api_url         text,
  settings        jsonb not null default '{}',
  secrets_sealed  bytea not null,
  sandbox         boolean not null default false,
  -- while set and in the future, the platform asked us to wait
  throttled_until timestamptz,
  -- when it is next brought in step with its platform (templates, where to call); null: nothing to do there
  sync_due_at     timestamptz,
  synced_at       timestamptz,
  sync_error      text,
  -- since when the account has these secrets, when they end by themselves, and when they are next to be renewed (null:
  -- as soon as the platform allows, if at all)
  secrets_since   timestamptz,
  secrets_end_at  timestamptz,
  secrets_due_at  timestamptz,
  created_at      timestamptz not null,
  primary key (workspace_id, id),
  -- connecting the same account again replaces its credentials; another workspace may hold it too
  unique (workspace_id, type, external_id)
);
-- A platform's call names the account before the workspace is known.
create index channel_by_id on channel (id);
create index channel_by_account on channel (type, external_id) where status <> 'disconnected';
create index channel_by_waba on channel ((settings ->> 'wabaId')) where status <> 'disconnected';
create index channel_sandbox on channel (id) where sandbox and status <> 'disconnected';
create index channel_sync_due on channel (sync_due_at) where status <> 'disconnected';
create index channel_polled on channel (workspace_id, id)
  where status = 'connected' and settings ->> 'polling' = 'true';

-- How far a channel that we ask for updates (Telegram without a public address) has been read, and who reads it.
create table channel_poll (
  workspace_id    uuid not null,
  channel_id      uuid not null,
  -- the platform's number of the next update
  position        bigint not null default 0,
  moved_at        timestamptz not null,
  -- rises with each claim: who has another one lost the lease
  fence           integer not null default 1,
  lease_until     timestamptz,
  due_at          timestamptz not null,
  failures        integer not null default 0,
  error           text,
  primary key (workspace_id, channel_id)
);

-- The one process that runs the sandbox: the row is made by the first.
create table sandbox_runner (
  only_one        boolean primary key default true check (only_one),
  holder          uuid not null,
  -- where it takes what customers of sandbox channels do
  address         text not null,
  lease_until     timestamptz not null
);

create table sms_provider (
  workspace_id    uuid not null references workspace (id),
  id              uuid not null unique,
  provider        text not null,
  api_url         text,
  settings        jsonb not null default '{}',
  secrets_sealed  bytea not null,
  -- true: a made-up account at the emulator of the sandbox
  sandbox         boolean not null default false,
  verified_at     timestamptz,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (workspace_id, id),
  -- one gateway account per workspace: setting another replaces it
  unique (workspace_id)
);

-- Messages of campaigns whose receipts must be asked for: their gateway calls nobody back. Gone once it is known.
create table sms_look_up (
  workspace_id uuid not null,
  message_id   uuid not null,
  provider_id  uuid not null,
  provider     text not null,
  called_at    timestamptz not null,
  due_at       timestamptz not null,
  primary key (workspace_id, message_id)
);
create index sms_look_up_due on sms_look_up (due_at);
create index sms_provider_sandbox on sms_provider (id) where sandbox;

create table template (
  workspace_id        uuid not null references workspace (id),
  id                  uuid not null,
  channel_id          uuid not null,
  meta_id             text not null,
  name                text not null,
  language            text not null,
  category            text,
  status              text not null,
  parameter_format    text not null default 'POSITIONAL',
  -- json, not jsonb: stored verbatim, key order and all
  components          json not null,
  body_variable_count integer not null,
  header_format       text,
  last_synced_at      timestamptz not null,
  -- when a push last told its status
  told_at             timestamptz,
  primary key (workspace_id, id),
  unique (workspace_id, channel_id, meta_id)
);

-- ---------------------------------------------------------------- contacts

-- UTC, milliseconds, Z: the form of every timestamp of the API. Immutable for a fixed zone.
create function iso(t timestamptz) returns text language sql immutable parallel safe
  return to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- The API's JSON of a contact. Declared immutable because for these argument types and a fixed zone it is.
create function contact_document(
  id uuid, name text, email text, phone text, notes text, channel_type text, external_id text, tags text[],
  attributes json, opted_out_at timestamptz, last_seen_at timestamptz, created_at timestamptz
) returns text language plpgsql immutable parallel safe as $$
begin
  return json_build_object(
    'id', id, 'name', name, 'email', email, 'phone', phone, 'notes', notes,
    'channelType', channel_type, 'externalId', external_id, 'tags', tags, 'attributes', attributes,
    'optedOut', opted_out_at is not null, 'optedOutAt', iso(opted_out_at), 'lastSeenAt', iso(last_seen_at),
    'createdAt', iso(created_at));
end $$;

create table contact (
  workspace_id      uuid not null,
  id                uuid not null,
  name              text,
  email             text,
  -- digits only
  phone             text,
  notes             text,
  channel_type      text,
  external_id       text,
  tags              text[] not null default '{}',
  -- json, not jsonb: the text comes back as it was written, and 16 KiB stay 16 KiB (jsonb spells 1e308 out)
  attributes        json not null default '{}',
  opted_out_at      timestamptz,
  last_seen_at      timestamptz,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  -- What the index knows of the attributes, made in Node (contacts/attribute-terms.ts). Made here, by a function in the
  -- index, it cost a new contact 20 µs of PostgreSQL (of 130); so it costs 8.
  attribute_terms   tsvector,
  -- lower-cased name, email and phone, made in Node so that the same rule lowers the search term
  search            text not null,
  -- The API's JSON, sent as it is: a page of 50 costs a third of building it from columns (measured 1,044 → 3,216
  -- requests a second). Generated, so that no writer can forget it.
  document          text not null generated always as (contact_document(
    id, name, email, phone, notes, channel_type, external_id, tags, attributes, opted_out_at, last_seen_at,
    created_at)) stored,
  primary key (workspace_id, id),
  -- a writer that forgot them would hide the contact from segments
  constraint contact_has_attribute_terms check (attribute_terms is not null or attributes::text = '{}')
-- room for last_seen_at, which moves with every inbound message, to be updated within the page
) with (fillfactor = 90);
-- With the workspace in front a small workspace pays for its own rows only (0.8 ms against 6 ms beside 200,000 others;
-- the same in the large one). fastupdate makes an insert three times cheaper; its list is read by every search, so it
-- is kept short (7 ms against 14 ms at the default 4 MB).
create index contact_search on contact using gin (workspace_id, search gin_trgm_ops)
  with (fastupdate = on, gin_pending_list_limit = 512);
-- They end in the id because the oldest match is wanted: without it the planner may walk the whole workspace in the
-- order of ids (23 s for 64 e-mails among 200,000 contacts, 1 ms with it).
create index contact_by_phone on contact (workspace_id, phone, id) where phone is not null;
create index contact_by_email on contact (workspace_id, folded(email), id) where email is not null;
-- Segments by tag: 1,000 of 100,000 contacts in 3 ms instead of 55.
create index contact_by_tag on contact using gin (workspace_id, tags) with (fastupdate = on, gin_pending_list_limit = 512);
-- Segments by attribute: equal, beginning, larger, smaller, by day, as prefixes of terms.
create index contact_by_attribute on contact using gin (workspace_id, attribute_terms)
  with (fastupdate = on, gin_pending_list_limit = 512) where attribute_terms is not null;
-- Segments by time of creation; and what is read of a whole workspace, a twentieth of the contacts themselves.
-- last_seen_at stands in no index: it would cost every inbound message an entry in all the others too (a touch of
-- 110 µs became one of 350).
create index contact_by_creation on contact (workspace_id, created_at) include (channel_type, opted_out_at);
-- Few have opted out: who has not is counted as all without these.
create index contact_by_opt_out on contact (workspace_id) where opted_out_at is not null;
create index contact_by_external_id on contact (workspace_id, external_id, id) where external_id is not null;

-- Exact totals without counting, and cheap far pages: contacts are counted in blocks of the list order. The open
-- block (ids from open_start on) lives in contact_total, so that a new contact moves one row.
create table contact_total (
  workspace_id  uuid primary key,
  total         bigint not null,
  open_start    uuid not null,
  open_count    bigint not null
);
create table contact_block (
  workspace_id  uuid not null,
  -- 0: a block of contacts; 1: the sum of the blocks from its start to that of the next such row
  level         smallint not null default 0,
  start_id      uuid not null,
  count         bigint not null,
  primary key (workspace_id, level, start_id)
);

-- New contacts whose platform is to be asked for their name (Messenger, Instagram); gone when it was.
create table profile_request (
  workspace_id  uuid not null,
  contact_id    uuid not null,
  channel_id    uuid not null,
  external_id   text not null,
  attempts      integer not null default 0,
  available_at  timestamptz not null,
  primary key (workspace_id, contact_id)
);
create index profile_request_due on profile_request (available_at);

-- Who a customer is on each channel account.
create table contact_identity (
  workspace_id  uuid not null,
  channel_id    uuid not null,
  external_id   text not null,
  contact_id    uuid not null,
  -- a phone number, which can pass to another person; else the platform's own id of the person, which cannot
  is_number     boolean not null default false,
  -- the person has another one since then: what a number says after that is of somebody else
  retired_at    timestamptz,
  created_at    timestamptz not null,
  primary key (workspace_id, channel_id, external_id)
);
create index contact_identity_by_contact on contact_identity (workspace_id, contact_id);

-- A contact that was merged into another: its id goes on answering, and what it was is kept.
create table contact_alias (
  workspace_id  uuid not null,
  id            uuid not null,
  contact_id    uuid not null,
  document      text not null,
  merged_at     timestamptz not null,
  primary key (workspace_id, id)
);
create index contact_alias_by_contact on contact_alias (workspace_id, contact_id);

-- What of a contact was changed by whom, for a year: one row a contact and change, no more than some 4,000 characters.
create table contact_change (
  workspace_id  uuid not null,
  contact_id    uuid not null,
  id            uuid not null,
  -- api, cli, import, bulk, platform, site, merge, number; and which of them (contacts/contact-change.ts)
  source        text not null,
  ref           text,
  -- [{"field", "from", "to"} | {"field": "tags", "added", "removed"} | {"attribute", "from", "to"} | {"omitted"}]
  changes       json not null,
  created_at    timestamptz not null,
  primary key (workspace_id, contact_id, id)
);
create index contact_change_age on contact_change (created_at);

-- Two contacts that the platform says are one person: merged by a worker, because a merge locks more than a message.
create table contact_merge_due (
  workspace_id  uuid not null,
  keep_id       uuid not null,
  merged_id     uuid not null,
  created_at    timestamptz not null,
  primary key (workspace_id, keep_id, merged_id)
);

-- Numbers whose owner opted out. Consent follows the number: it outlives the contact and waits for the next one.
create table opted_out_phone (
  workspace_id  uuid not null,
  -- digits; of a number whose person was erased, or that nobody has, # and an HMAC under a key that is in no database
  phone         text not null,
  since         timestamptz not null,
  -- when it was stored in digits of a number that nobody had: not for long
  nobodys_since timestamptz,
  primary key (workspace_id, phone)
);
create index opted_out_phone_since on opted_out_phone (since);
create index opted_out_phone_nobodys on opted_out_phone (nobodys_since) where nobodys_since is not null;

-- Every opt-out and opt-in: who, when, by what.
create table consent_entry (
  workspace_id  uuid not null,
  id            uuid not null,
  -- null: a number that no contact had then
  contact_id    uuid,
  -- as in opted_out_phone
  phone         text,
  opted_out     boolean not null,
  -- stop_word, platform, dashboard, import, cli, number (it had the number already), merge
  source        text not null,
  -- where the word or signal came from: a channel's type or SMS
  channel_type  text,
  channel_id    uuid,
  -- the word, or the platform's code
  detail        text,
  created_at    timestamptz not null,
  primary key (workspace_id, id)
);
create index consent_entry_by_contact on consent_entry (workspace_id, contact_id, id desc);
create index consent_entry_by_phone on consent_entry (workspace_id, phone, id desc) where phone is not null;
-- What customers themselves asked for: campaigns report what they caused.
create index consent_entry_by_customer on consent_entry (workspace_id, created_at)
  where opted_out and source in ('stop_word', 'platform');

-- A file of contacts being taken in. The row moves in the transaction of each batch, so that a process that dies loses
-- nothing and whoever goes on repeats nothing.
create table contact_import (
  workspace_id  uuid not null references workspace (id),
  id            uuid not null,
  file_name     text not null,
  -- SHA-256 of the file's bytes
  file_hash     bytea not null,
  file_size     bigint not null,
  -- how it is read and matched: the same file with other options is another import
  options       jsonb not null,
  -- the columns as the file has them; null for JSON Lines
  header        text[],
  -- running: under way, or broken off and waiting to be gone on with
  state         text not null check (state in ('running', 'done', 'stopped')),
  -- rows of the file that were taken in, refused ones too
  position      bigint not null,
  created       bigint not null default 0,
  updated       bigint not null default 0,
  unchanged     bigint not null default 0,
  refused       bigint not null default 0,
  -- stopped: the line from which the file could not be read
  stopped_line  bigint,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  finished_at   timestamptz,
  primary key (workspace_id, id)
);
-- hashed, because a long mapping does not fit an index
create unique index contact_import_open on contact_import (workspace_id, file_hash, md5(options::text))
  where state = 'running';

-- Rows that were refused, as they stood in the file, for thirty days.
create table contact_import_refusal (
  workspace_id  uuid not null,
  import_id     uuid not null,
  -- which row of the file, from 0
  position      bigint not null,
  line          bigint not null,
  reason        text not null,
  -- its cells; empty when it was too long to keep
  record        text[] not null,
  created_at    timestamptz not null,
  primary key (workspace_id, import_id, position)
);
create index contact_import_refusal_age on contact_import_refusal (created_at);

-- One change to many contacts, done in batches by a worker. Each batch moves the row in its own transaction.
create table contact_job (
  workspace_id  uuid not null references workspace (id),
  id            uuid not null,
  action        text not null check (action in ('tag', 'untag', 'opt_out', 'opt_in', 'set_attribute', 'delete')),
  -- {"tags": […]} | {"key", "value"} | {"reason"}
  details       jsonb not null default '{}',
  -- whom: the definition as the segment had it at the start, or ids in order
  segment_id    uuid,
  definition    json,
  ids           uuid[],
  state         text not null check (state in ('running', 'paused', 'done', 'cancelled', 'failed')),
  reason        text,
  -- contacts up to here are done; those that are newer than the job are not its business
  cursor        uuid not null,
  until         uuid not null,
  matched       bigint not null default 0,
  changed       bigint not null default 0,
  actor         text not null,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  finished_at   timestamptz,
  primary key (workspace_id, id)
);
create index contact_job_running on contact_job (updated_at) where state = 'running';

-- A person being forgotten, in batches: the row moves in the transaction of each, so that a process that dies leaves one
-- undone or done. It stays as the proof, without a word of who it was.
create table person_erasure (
  workspace_id  uuid not null references workspace (id),
  id            uuid not null,
  -- the contact's id, and those of the contacts that were merged into it; none of them names anything any more
  contact_id    uuid not null,
  ids           uuid[] not null,
  -- numbers, e-mail addresses and ids on platforms, to be found everywhere; gone when it is done
  keys_sealed   bytea,
  state         text not null check (state in ('running', 'done')),
  step          text not null,
  cursor        text not null default '',
  -- how many of what went: {"messages": 12}
  counts        jsonb not null default '{}',
  -- what still named an address of the person at its start: {"segments": [id], "campaigns": [id]}
  still_named   jsonb not null default '{"segments": [], "campaigns": []}',
  -- what it waits for, or what went wrong last
  waits_for     text,
  due_at        timestamptz not null,
  actor         text not null,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  finished_at   timestamptz,
  primary key (workspace_id, id)
);
create unique index person_erasure_open on person_erasure (workspace_id, contact_id) where state = 'running';
create index person_erasure_due on person_erasure (due_at) where state = 'running';

-- What a custom attribute holds, for imports and segments. The API takes and gives any JSON all the same.
create table attribute_definition (
  workspace_id  uuid not null references workspace (id),
  key           text not null,
  label         text not null,
  type          text not null check (type in ('text', 'number', 'date', 'boolean', 'choice')),
  choices       text[] not null default '{}',
  primary key (workspace_id, key)
);

create table segment (
  workspace_id  uuid not null references workspace (id),
  id            uuid not null,
  name          text not null,
  definition    json not null,
  -- for display; null: not counted yet as it is defined
  cached_count  bigint,
  cached_at     timestamptz,
  -- when it is counted next
  count_due_at  timestamptz not null default '-infinity',
  created_at    timestamptz not null,
  primary key (workspace_id, id)
);
create index segment_due on segment (count_due_at);

-- ---------------------------------------------------------------- conversations and messages

create table conversation (
  workspace_id      uuid not null,
  id                uuid not null,
  contact_id        uuid not null,
  channel_id        uuid not null,
  channel_type      text not null,
  -- where a reply goes: the customer's id on the channel, or the thread's own (TikTok)
  external_id       text not null,
  status            text not null default 'open' check (status in ('open', 'snoozed', 'resolved')),
  assignee_id       uuid,
  labels            text[] not null default '{}',
  unread_count      integer not null default 0,
  -- null: the channel has no window, or the customer has not written yet
  window_expires_at timestamptz,
  last_message_at   timestamptz,
  -- web chat: the number of the last change that its visitor sees; rises under the row's lock, so in the order of commits
  chat_sequence     bigint not null default 0,
  created_at        timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, channel_id, contact_id)
-- Room for each row once more: a campaign's batch moves the time of all of a page's rows in one transaction. At 90 a
-- quarter of those updates stayed on their page, 625 bytes of log each, and the table was larger afterwards (1,266 pages
-- for 20,000 rows, and 910 at 50, where all stay and write 89).
) with (fillfactor = 50);
-- Pages by channel, by status and by both. Nothing that each message changes (the time of the last one, the unread, the
-- window) is in an index: a message touches its conversation's row and no index.
create index conversation_list on conversation (workspace_id, status, channel_id, id);
-- A channel is of one workspace. Without this the planner takes the two for independent, thinks that a channel holds one
-- conversation, and looks up a contact's by the index above: it read all of the channel's for each (1,060 µs, now 12).
create statistics conversation_of_channel (dependencies) on workspace_id, channel_id from conversation;

create table message (
  workspace_id        uuid not null,
  id                  uuid not null,
  -- null for SMS, which has no conversation
  conversation_id     uuid,
  -- whom it went to or came from then; of one in a conversation, that one's contact is whose it is now
  contact_id          uuid,
  -- null for SMS
  channel_id          uuid,
  direction           text not null check (direction in ('inbound', 'outbound')),
  type                text not null,
  text                text,
  attachments         jsonb not null default '[]',
  -- what is sent when it is a template: {"name","language","bodyParameters",…}
  template            jsonb,
  status              text not null check (status in ('received', 'sent', 'delivered', 'read', 'failed')),
  error_code          text,
  error_message       text,
  source              text not null check (source in ('api', 'dashboard', 'broadcast', 'bot', 'channel')),
  provider_message_id text,
  broadcast_id        uuid,
  -- of a campaign: the contact that its recipient is stored under, whatever was merged since
  recipient_id        uuid,
  -- null: sent in one piece; else its parts are in message_part and its status is the worst of theirs
  part_count          smallint,
  -- web chat: the change of the conversation that brought the message, and the last one of it; null elsewhere
  chat_created        bigint,
  chat_changed        bigint,
  created_at          timestamptz not null,
  sent_at             timestamptz,
  delivered_at        timestamptz,
  read_at             timestamptz,
  primary key (workspace_id, id)
-- room on the page for callbacks: 1,084 of 2,000 updates touch no index, 668 without; 10 % larger
) with (fillfactor = 80);
create index message_thread on message (workspace_id, conversation_id, id desc);
-- what a visitor's stream reads
create unique index message_chat on message (workspace_id, conversation_id, chat_changed) where chat_changed is not null;
-- The platform's id is unique on its account; SMS ids (no channel) share the nil UUID.
create unique index message_by_provider_id on message
  (workspace_id, coalesce(channel_id, '00000000-0000-0000-0000-000000000000'), provider_message_id)
  where provider_message_id is not null;

-- Browsers of web chat of which more is known than what their token says. Nobody's first look makes a row.
create table chat_visitor (
  workspace_id  uuid not null,
  channel_id    uuid not null,
  -- the server's random id of the browser
  id            text not null,
  -- tokens of another version are over (sign-out, sign-in)
  version       integer not null default 0,
  -- the site's user that was proven, and what was said of the person: {"name","email","phone"}
  user_id       text,
  profile       jsonb not null default '{}',
  updated_at    timestamptz not null,
  primary key (workspace_id, channel_id, id)
);
-- the browsers of a person, to be exported and erased
create index chat_visitor_by_user on chat_visitor (workspace_id, channel_id, user_id) where user_id is not null;

-- Files of messages: those that customers sent, to be fetched at once and kept, and those that were uploaded to be
-- sent. The bytes lie in the store (data folder or S3) under a key made of workspace and id.
create table media (
  workspace_id  uuid not null,
  id            uuid not null,
  -- inbound: fetched from the platform through its channel; outbound: uploaded here
  direction     text not null check (direction in ('inbound', 'outbound')),
  -- null: an upload that no message carries
  message_id    uuid,
  -- whose account opens it; null for uploads
  channel_id    uuid,
  kind          text not null check (kind in ('image', 'audio', 'video', 'document', 'sticker')),
  state         text not null default 'pending' check (state in ('pending', 'stored', 'failed')),
  reason        text,
  detail        text,
  -- while pending what was claimed, then what the bytes are
  mime_type     text,
  file_name     text,
  size          bigint,
  sha256        bytea,
  -- the platform's id or address of the file; may carry a token, and goes when it is no longer needed
  source_sealed bytea,
  -- the next try, or the end of the lease of the one under way; null: nothing to fetch
  available_at  timestamptz,
  -- tries that were begun; of the one under way also its fence
  attempts      smallint not null default 0,
  -- when bytes and row go; null: they stay
  delete_at     timestamptz,
  -- the person of the file is being forgotten: that is done when the row is gone
  erasure_id    uuid,
  created_at    timestamptz not null,
  primary key (workspace_id, id)
);
create index media_due on media (available_at) where state = 'pending' and available_at is not null;
create index media_expired on media (delete_at) where delete_at is not null;
create index media_erased on media (workspace_id, erasure_id) where erasure_id is not null;
create index media_of_message on media (workspace_id, message_id) where message_id is not null;

-- The sends of a message that needs several: a text longer than its channel takes in one, files, a text beside a file.
-- Made when it is first handed over.
create table message_part (
  workspace_id        uuid not null,
  message_id          uuid not null,
  -- from 1, in the order of sending
  number              smallint not null,
  channel_id          uuid not null,
  -- the text, or what goes with the file
  text                text,
  media_id            uuid,
  -- waiting; sent without sent_at: the intent to call is committed, the answer is open
  status              text not null default 'waiting' check (status in ('waiting', 'sent', 'delivered', 'read', 'failed')),
  error_code          text,
  error_message       text,
  provider_message_id text,
  sent_at             timestamptz,
  delivered_at        timestamptz,
  read_at             timestamptz,
  primary key (workspace_id, message_id, number),
  check (text is not null or media_id is not null)
);
create unique index message_part_by_provider_id on message_part (workspace_id, channel_id, provider_message_id)
  where provider_message_id is not null;

-- Replies that wait for their channel. The row is the promise to send; it goes away when the send is settled.
create table message_outbox (
  workspace_id    uuid not null,
  message_id      uuid not null,
  conversation_id uuid not null,
  channel_id      uuid not null,
  -- waiting → claimed → calling (committed before the first byte leaves) → gone | unknown (the answer was lost)
  state           text not null default 'waiting' check (state in ('waiting', 'claimed', 'calling', 'unknown')),
  available_at    timestamptz not null,
  attempts        smallint not null default 0,
  -- rises at each claim: a worker that lost its lease cannot settle
  fence           integer not null default 0,
  lease_until     timestamptz,
  -- when `unknown` becomes failed with OUTCOME_UNKNOWN
  unknown_until   timestamptz,
  primary key (workspace_id, message_id)
);
create index message_outbox_due on message_outbox (available_at, message_id) where state = 'waiting';
create index message_outbox_lane on message_outbox (workspace_id, conversation_id, message_id);
create index message_outbox_leased on message_outbox (lease_until) where state in ('claimed', 'calling');
-- one in flight per conversation, whatever two workers see at the same moment
create unique index message_outbox_in_flight on message_outbox (workspace_id, conversation_id)
  where state in ('claimed', 'calling');
create index message_outbox_unknown on message_outbox (unknown_until) where state = 'unknown';

-- Statuses that came before we knew the platform's id of the message.
create table early_status (
  workspace_id        uuid not null,
  -- nil UUID for SMS
  channel_id          uuid not null,
  provider_message_id text not null,
  status              text not null,
  occurred_at         timestamptz not null,
  error_code          text,
  error_detail        text,
  received_at         timestamptz not null,
  primary key (workspace_id, channel_id, provider_message_id, status)
);
create index early_status_age on early_status (received_at);

-- Edits and deletions that came before the message they concern.
create table early_change (
  workspace_id        uuid not null,
  channel_id          uuid not null,
  provider_message_id text not null,
  kind                text not null check (kind in ('edited', 'deleted')),
  text                text,
  occurred_at         timestamptz not null,
  received_at         timestamptz not null,
  primary key (workspace_id, channel_id, provider_message_id, occurred_at, kind)
);
create index early_change_age on early_change (received_at);

-- Platform calls that could not be taken in: kept, counted, shown; never swallowed.
create table inbound_failure (
  id            uuid primary key,
  workspace_id  uuid,
  channel_id    uuid,
  body          bytea not null,
  error         text not null,
  attempts      smallint not null default 1,
  -- when it is tried again; null: nobody can read it, or it was given up
  retry_at      timestamptz,
  received_at   timestamptz not null
);
create index inbound_failure_due on inbound_failure (retry_at) where retry_at is not null;
-- of an erased person's workspace; and how many there are, without their bodies
create index inbound_failure_by_workspace on inbound_failure (workspace_id, retry_at);

-- ---------------------------------------------------------------- one-time passcodes

-- The text is in no column of this or any table.
create table otp_record (
  workspace_id        uuid not null,
  id                  uuid not null,
  provider_id         uuid not null,
  provider            text not null,
  mobile              text not null,
  segments            smallint not null,
  status              text not null check (status in ('calling', 'sent', 'delivered', 'failed', 'unknown')),
  error_code          text,
  error               text,
  provider_message_id text,
  created_at          timestamptz not null,
  settled_at          timestamptz,
  -- when to ask a gateway that calls nobody back
  receipt_due_at      timestamptz,
  primary key (workspace_id, id)
);
create index otp_record_receipt_due on otp_record (receipt_due_at) where receipt_due_at is not null;
create index otp_record_by_provider_id on otp_record (workspace_id, provider_message_id) where provider_message_id is not null;
-- passcodes of a person: the timeline, export and erasure; one entry beside a call to a gateway
create index otp_record_by_mobile on otp_record (workspace_id, mobile, id);
create index otp_record_open on otp_record (created_at) where status = 'calling';

-- ---------------------------------------------------------------- broadcasts

create table broadcast (
  workspace_id          uuid not null,
  id                    uuid not null,
  name                  text not null,
  channel_id            uuid,
  channel_type          text not null check (channel_type in ('WHATSAPP', 'TELEGRAM')),
  kind                  text not null check (kind in ('WHATSAPP_TEMPLATE', 'TEXT', 'SMS')),
  status                text not null check (status in
                          ('DRAFT', 'SCHEDULED', 'QUEUED', 'RUNNING', 'PAUSED', 'COMPLETED', 'CANCELLED', 'FAILED')),
  -- why it paused or failed, for a person
  status_reason         text,
  template_id           uuid,
  body                  text,
  -- texts of the template's body parameters, with placeholders
  variables             text[] not null default '{}',
  -- the template's header: the text of its variable, or a file of ours
  header_text           text,
  header_media_id       uuid,
  -- texts of its buttons: [{"index": 0, "text": "orders/{{attribute.order}}"}]
  button_texts          jsonb not null default '[]',
  -- null: everyone who has not opted out
  segment_id            uuid,
  scheduled_at          timestamptz,
  -- of its times and of recipients who have no zone of their own
  time_zone             text not null default 'UTC',
  -- the scheduled wall clock counts in each recipient's zone
  local_time            boolean not null default false,
  -- minutes of the recipient's day from and until which nothing is sent
  quiet_from            smallint check (quiet_from between 0 and 1439),
  quiet_until           smallint check (quiet_until between 0 and 1439),
  -- the zones of its recipients, '' for the campaign's own
  zones                 text[] not null default '{""}',
  -- a resend: its audience is who failed in that campaign; with parent_all also those whose number is no good, with
  -- parent_unknown also those of whom nobody knows whether it arrived
  parent_id             uuid,
  parent_all            boolean not null default false,
  parent_unknown        boolean not null default false,
  -- a test: these contacts and no others
  contact_ids           uuid[],
  rate_limit_per_minute integer not null check (rate_limit_per_minute between 10 and 1000000),
  total_count           bigint not null default 0,
  sent_count            bigint not null default 0,
  delivered_count       bigint not null default 0,
  read_count            bigint not null default 0,
  failed_count          bigint not null default 0,
  skipped_count         bigint not null default 0,
  -- materialising: the contact up to which the audience is stored
  audience_cursor       uuid,
  -- pace: a token budget that survives a restart
  pace_tokens           double precision not null default 0,
  pace_at               timestamptz,
  throttled_until       timestamptz,
  -- sends started before this cannot halve the rate again
  halved_at             timestamptz,
  -- when it last came to run: failures of calls before this do not pause it again
  resumed_at            timestamptz,
  started_at            timestamptz,
  completed_at          timestamptz,
  -- A/B: [{"name","share","body","templateId","variables"}]; what is left of 1 is the hold-out. Null: one text for all
  variants              jsonb,
  -- for so many days a message of a recipient is taken as an answer to the campaign, an opt-out as caused by it
  reply_days            smallint not null default 3 check (reply_days between 1 and 30),
  created_at            timestamptz not null,
  primary key (workspace_id, id)
);
create index broadcast_active on broadcast (status, id) where status in ('QUEUED', 'RUNNING');
create index broadcast_scheduled on broadcast (scheduled_at) where status = 'SCHEDULED';
-- Campaigns that a customer's message can be an answer to: under way, or ended a while ago. Columns that move seldom.
-- Reports of an old one ask, for who opted out, which others ran in those days: told by the index, without their rows.
create index broadcast_recent on broadcast (workspace_id, coalesce(completed_at, 'infinity'), started_at)
  where started_at is not null;

-- What happened to a campaign, in order; each row is written in the transaction of what it tells.
create table broadcast_entry (
  workspace_id  uuid not null,
  broadcast_id  uuid not null,
  id            bigint generated always as identity,
  -- a move of the state table (start, pause, halt, complete …), or: halved (the provider throttled), paced (a person
  -- set the pace), waited (nothing is sent until then)
  kind          text not null,
  from_status   text,
  to_status     text,
  -- why: an upper-case word, or the platform's code and words
  cause         text,
  -- who: key:ID, cli, a member's id; null: the engine
  actor         text,
  rate_from     integer,
  rate_to       integer,
  until         timestamptz,
  created_at    timestamptz not null,
  primary key (workspace_id, broadcast_id, id)
);

-- How many recipients became sent, delivered, read and failed in each minute: one row a minute instead of a count over
-- a million.
create table broadcast_minute (
  workspace_id  uuid not null,
  broadcast_id  uuid not null,
  minute        timestamptz not null,
  sent          bigint not null,
  delivered     bigint not null,
  read          bigint not null,
  failed        bigint not null,
  primary key (workspace_id, broadcast_id, minute)
) with (fillfactor = 50);

-- A recipient's first message after the campaign's: once per recipient.
create table broadcast_reply (
  workspace_id  uuid not null,
  broadcast_id  uuid not null,
  contact_id    uuid not null,
  message_id    uuid not null,
  replied_at    timestamptz not null,
  primary key (workspace_id, broadcast_id, contact_id)
);

-- Files of headers at the platform: each given once per campaign and named by every send.
create table broadcast_header (
  workspace_id  uuid not null,
  broadcast_id  uuid not null,
  media_id      uuid not null,
  ref           text,
  ref_at        timestamptz,
  -- who gives it there now holds this until then
  lease_until   timestamptz,
  primary key (workspace_id, broadcast_id, media_id)
);

-- How fast a number may send, whatever the number of campaigns and workspaces on it: the platform's limit is the number's.
create table number_pace (
  -- the account at its platform: type, address of its own, id; SMS: the workspace, whose gateway is one
  account         text primary key,
  tokens          double precision not null default 0,
  at              timestamptz,
  -- after the platform refused: messages a minute, for a day from halved_at
  ceiling         integer check (ceiling between 10 and 1000000),
  halved_at       timestamptz,
  throttled_until timestamptz,
  -- by hand: never more a minute, all campaigns together
  most            integer check (most between 10 and 1000000),
  -- campaigns that share it now: {"ID": {"rate": 4800, "at": 1700000000000, "credit": 0.5}}
  sharers         jsonb not null default '{}'
) with (fillfactor = 50);

create table broadcast_recipient (
  workspace_id  uuid not null,
  broadcast_id  uuid not null,
  contact_id    uuid not null,
  -- digits or the channel's customer id; null when the contact has none
  address       text,
  -- rendered parameters or text, frozen when the audience was stored
  content       jsonb,
  -- A/B: the place of its variant
  variant       smallint,
  status        text not null check (status in ('pending', 'sending', 'sent', 'delivered', 'read', 'failed', 'skipped')),
  -- skipped: opted_out, no_address, duplicate_address, window_closed, missing_variable, holdout, erased; failed: the
  -- platform's code
  reason        text,
  detail        text,
  message_id    uuid,
  -- when the intent to call was committed
  called_at     timestamptz,
  -- rises at each call: a worker that was given up cannot put the recipient back
  fence         integer not null default 0,
  -- calls that came back as "not sent, try again"
  attempts      smallint not null default 0,
  settled_at    timestamptz,
  -- the contact's own time zone, where the campaign looks at it and the contact has one
  zone          text not null default '',
  -- what the indexes look at instead of the status: they stay as they are from pending to read
  holds_address boolean generated always as (status <> 'skipped') stored,
  trouble       text generated always as (case when status in ('failed', 'skipped') then status end) stored,
  primary key (workspace_id, broadcast_id, contact_id)
-- Room for a second version of each row: nobody who is called and sent to touches an index, as long as none names a
-- column that changes on that way.
) with (fillfactor = 45);
create unique index broadcast_recipient_address
  on broadcast_recipient (workspace_id, broadcast_id, one_spelling(address))
  where holds_address;
create index broadcast_recipient_zone on broadcast_recipient (workspace_id, broadcast_id, zone, contact_id)
  where zone <> '';
-- Pages of a report. Those of other states are found along the key.
create index broadcast_recipient_trouble on broadcast_recipient (workspace_id, broadcast_id, trouble, contact_id)
  where trouble is not null;
create index broadcast_recipient_reason on broadcast_recipient (workspace_id, broadcast_id, reason, contact_id)
  where reason is not null;

-- Who waits: of each zone those whose contacts come after this, and those of broadcast_again. Recipients are taken in
-- the order of their contacts, under the lock of the campaign's row.
create table broadcast_cursor (
  workspace_id  uuid not null,
  broadcast_id  uuid not null,
  zone          text not null,
  contact_id    uuid not null,
  primary key (workspace_id, broadcast_id, zone)
) with (fillfactor = 50);

-- Recipients before the cursor that wait again: every one that was put back, has no slot yet or was reopened.
create table broadcast_again (
  workspace_id  uuid not null,
  broadcast_id  uuid not null,
  contact_id    uuid not null,
  zone          text not null,
  -- null: at once
  available_at  timestamptz,
  -- has a message in the conversation already: settled when the campaign is cancelled
  has_message   boolean not null,
  primary key (workspace_id, broadcast_id, contact_id)
);
create index broadcast_again_called on broadcast_again (workspace_id, broadcast_id) where has_message;

-- Batches of calls that were begun: whoever is sending is in one of them. The last answer removes it; where one was lost
-- or the worker died, the sweep does once none of them is sending.
create table broadcast_flight (
  workspace_id  uuid not null,
  broadcast_id  uuid not null,
  id            uuid not null,
  called_at     timestamptz not null,
  contact_ids   uuid[] not null,
  primary key (workspace_id, broadcast_id, id)
);
-- Ids do not get smaller.
alter table broadcast_flight alter contact_ids set storage external;
