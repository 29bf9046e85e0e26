-- Runs that wait for a customer who may write no more, oldest first.
create index bot_run_silent on bot_run (id) where state = 'waiting' and due_at is null;
