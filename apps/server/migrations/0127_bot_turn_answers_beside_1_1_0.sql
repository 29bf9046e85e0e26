-- The last answer that an external bot gave by a token: the fence of its turn, and an HMAC of the answer. A repeat of it
-- gets the first answer again.
alter table bot_call add column answered_fence integer, add column answered_mac bytea;
