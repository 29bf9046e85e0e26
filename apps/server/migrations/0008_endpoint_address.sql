-- Whoever knows the address of a receiver can often post to it: its path or query is a token. From now on it is kept
-- sealed, and `url` is what people are shown of it. Null: not sealed yet, and `url` is the whole address; a worker seals
-- these in batches after the start (webhooks/seal-addresses.ts), for only a process has the key.
set local lock_timeout = '2s';
alter table endpoint add column url_sealed bytea;
