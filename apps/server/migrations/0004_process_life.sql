-- Processes that claim work, so that what one of them claimed is free as soon as it is gone, and not when its lease ends.
set local lock_timeout = '2s';

-- One row for each session by which a process shows that it lives. While it does, the session holds an advisory lock that is
-- named after the id.
create table process (
  id        uuid primary key,
  -- by PostgreSQL's clock, written twice a second
  seen_at   timestamptz not null
) with (fillfactor = 50);

-- Whose lease it is; null while an endpoint rests after a failure.
alter table endpoint add column busy_by uuid;
alter table message_outbox add column claimed_by uuid;
alter table channel_poll add column held_by uuid;
alter table media add column claimed_by uuid;

comment on column endpoint.old_secret_until is
  'the former secret signs until then, the present one from then on';
