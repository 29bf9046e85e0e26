-- Who wrote what a row of the inbox previews (a member's id, or the source of a program's message), and how many of the customer's
-- messages there were when a person last answered: those are unread for no member. Null and 0 in older rows until they change.
alter table desk_conversation add column preview_by text, add column answered_inbound integer not null default 0;
-- The member marked the conversation unread after somebody had answered: for them it stays unread.
alter table desk_read add column kept_unread boolean not null default false;
