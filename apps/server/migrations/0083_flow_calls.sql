-- What a model was asked that is no reply, as which topic a text is about: it has a cost, and reserves no AI reply.
alter table ai_turn drop constraint ai_turn_status_check;
alter table ai_turn add constraint ai_turn_status_check
  check (status in ('open', 'classified', 'sent', 'suggested', 'superseded', 'handed_over', 'failed')) not valid;
alter table ai_turn validate constraint ai_turn_status_check;
