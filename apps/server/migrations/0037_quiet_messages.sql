-- A message that its program says answers nobody: the customer goes on waiting.
alter table message add column answers boolean not null default true;
-- Passcodes that one number may get in ten minutes; null: no limit.
alter table workspace add column otp_per_number integer check (otp_per_number between 1 and 1000);
-- When a member first signed in; null: never, and then the member is not there to take a conversation. Whoever has done
-- something in the dashboard has signed in.
alter table member add column signed_in_at timestamptz;
update member m set signed_in_at = m.created_at
  where exists (select 1 from session s where s.workspace_id = m.workspace_id and s.member_id = m.id)
    or exists (select 1 from audit_entry a where a.workspace_id = m.workspace_id and a.actor = 'member:' || m.id);
