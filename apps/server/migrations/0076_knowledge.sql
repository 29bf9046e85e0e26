-- What bots may answer from. A source is read into chunks; answers rest on chunks. `texts` are a snippet's, by language;
-- `asked_as` how customers ask for it; `content` a file's bytes, so that it can be read again; `address` a page's
-- address or a file's name. `used` counts answers by day, of the last 30.
create table knowledge_source (
  workspace_id   uuid not null,
  id             uuid not null,
  kind           text not null check (kind in ('snippet', 'file', 'page', 'saved_reply')),
  title          text not null,
  external_id    text,
  texts          jsonb not null default '{}',
  asked_as       jsonb not null default '[]',
  address        text,
  saved_reply_id uuid,
  content        bytea,
  etag           text,
  status         text not null check (status in ('ready', 'reading', 'failed')),
  reason         text,
  valid_until    timestamptz,
  chunks         int not null default 0,
  used           jsonb not null default '{}',
  due_at         timestamptz,
  lease_until    timestamptz,
  read_at        timestamptz,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  primary key (workspace_id, id)
);
create unique index knowledge_source_external on knowledge_source (workspace_id, external_id) where external_id is not null;
create unique index knowledge_source_saved_reply on knowledge_source (workspace_id, saved_reply_id) where saved_reply_id is not null;
create index knowledge_source_due on knowledge_source (due_at) where due_at is not null;

-- `version` is the workspace's number of the change that wrote it: an index in memory reads what is newer than itself.
create table knowledge_chunk (
  workspace_id uuid not null,
  id           uuid not null,
  source_id    uuid not null,
  version      bigint not null,
  lang         text not null check (lang in ('en', 'ar')),
  place        int not null,
  title        text not null,
  text         text not null,
  asked_as     text not null default '',
  primary key (workspace_id, id),
  foreign key (workspace_id, source_id) references knowledge_source (workspace_id, id) on delete cascade
);
create index knowledge_chunk_source on knowledge_chunk (workspace_id, source_id, lang, place);
create index knowledge_chunk_version on knowledge_chunk (workspace_id, version);

-- Counts the changes of a workspace's knowledge.
create table knowledge_version (
  workspace_id uuid primary key,
  version      bigint not null,
  changed_at   timestamptz not null
);

-- Words that customers use for one another.
create table synonym_group (
  workspace_id uuid not null,
  place        int not null,
  words        jsonb not null,
  primary key (workspace_id, place)
);

-- A question that the knowledge did not answer, as one customer asked it. Alike questions share `group_id`, the id of the
-- first. A closed one keeps the source that its words went into, so that an erasure finds them there.
create table gap (
  workspace_id    uuid not null,
  id              uuid not null,
  group_id        uuid not null,
  contact_id      uuid,
  conversation_id uuid,
  bot_id          uuid,
  question        text not null,
  lang            text not null check (lang in ('en', 'ar')),
  why             text not null check (why in ('no_source', 'check_failed', 'rated_bad', 'asked')),
  state           text not null default 'open' check (state in ('open', 'answered', 'not_ours')),
  source_id       uuid,
  asked_at        timestamptz not null,
  closed_at       timestamptz,
  primary key (workspace_id, id)
);
create index gap_group on gap (workspace_id, group_id);
create index gap_open on gap (workspace_id, asked_at desc) where state = 'open';
create index gap_contact on gap (workspace_id, contact_id);
create index gap_conversation on gap (workspace_id, conversation_id);
