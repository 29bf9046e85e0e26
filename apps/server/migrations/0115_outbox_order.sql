-- What a batch handed in is sent when no other message of the outbox is due: nobody waits for it.
alter table message_outbox add column after_replies boolean not null default false;
drop index message_outbox_due;
create index message_outbox_due on message_outbox (after_replies, available_at, message_id) where state = 'waiting';
