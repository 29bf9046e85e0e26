-- Members are notified when a bot gives a conversation to people. No stored row breaks the rule, so none is read.
alter table member_notice drop constraint member_notice_kind_check;
alter table member_notice add constraint member_notice_kind_check
  check (kind in ('mention', 'assigned', 'handed_over', 'import', 'export', 'campaign', 'system', 'change')) not valid;
alter table member_notice validate constraint member_notice_kind_check;
