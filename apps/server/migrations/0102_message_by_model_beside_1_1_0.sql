-- Whether a language model wrote the message of a bot; null: not a bot's, or stored before this column was.
alter table message add column by_model boolean;
