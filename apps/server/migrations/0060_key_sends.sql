-- What happens when an assistant (MCP) with this key sends to a customer. Keys of before get the careful answer: a member
-- sends. The API of programs does not look at it.
alter table api_key add column sends text not null default 'approve';
alter table api_key add constraint api_key_sends check (sends in ('ask', 'approve', 'free')) not valid;
alter table api_key validate constraint api_key_sends;
