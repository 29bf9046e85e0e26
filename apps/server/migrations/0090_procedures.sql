-- A flow that an AI bot began in its run. While it goes on `kind` is `flow`, so that workers of flows have the run; `bot_id` and
-- `version` stay the AI bot's, which has it again afterwards.
alter table bot_run add column flow_id uuid;
alter table bot_run add column flow_version integer;
create index bot_run_procedure on bot_run (workspace_id, flow_id) where flow_id is not null and state <> 'ended';

-- Which flow a turn began. Such a turn has no text: its AI reply is given back.
alter table ai_turn add column procedure text;
alter table ai_turn drop constraint ai_turn_status_check;
alter table ai_turn add constraint ai_turn_status_check
  check (status in ('open', 'classified', 'began', 'sent', 'suggested', 'superseded', 'handed_over', 'failed')) not valid;
alter table ai_turn validate constraint ai_turn_status_check;
