-- The process that has claimed a run, or made a turn, of a bot: when it is lost, another need not wait for the lease.
alter table bot_run add column process_id uuid;
alter table ai_turn add column process_id uuid;
