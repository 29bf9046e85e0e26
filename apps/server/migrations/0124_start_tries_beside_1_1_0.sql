-- How often the look for a bot has failed: after a few times people get the conversation.
alter table bot_due add column tries smallint not null default 0;
