-- Members are told when the long work ends that they began: an import, a change to many contacts. `facts` says what came of it,
-- and the page puts it into words of the reader's language.
alter table member_notice add column facts jsonb not null default '{}';
alter table member_notice drop constraint member_notice_kind_check;
alter table member_notice add constraint member_notice_kind_check
  check (kind in ('mention', 'assigned', 'import', 'export', 'campaign', 'system', 'change'));
