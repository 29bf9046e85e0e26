-- What the browser asked for under its id of a message, as a hash: the same id with another request is refused. Older rows have none.
alter table message_author add column request_hash bytea;
