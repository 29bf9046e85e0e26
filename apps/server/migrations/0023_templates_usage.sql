-- Why the platform refused a template, and how it judges the quality of an approved one: as it last said.

alter table template
  -- the platform's word: ABUSIVE_CONTENT, INVALID_FORMAT …
  add column rejected_reason text,
  -- its sentences for a person: why, and what to change
  add column rejection_detail text,
  -- GREEN, YELLOW, RED; null: unknown
  add column quality text;

-- Which campaigns send a template.
create index broadcast_template on broadcast (workspace_id, template_id, id) where template_id is not null;

-- The meter by channel and day (UTC). usage_channel, the one by month, is written no more: a month is the sum of its days and
-- of what was metered there before.
create table usage_day (
  workspace_id  uuid not null,
  day           date not null,
  channel_id    uuid not null,
  sent          bigint not null default 0,
  received      bigint not null default 0,
  failed        bigint not null default 0,
  ai_replies    bigint not null default 0,
  primary key (workspace_id, day, channel_id)
) with (fillfactor = 70);
