-- Programs write notes too: a key has no member's id. `author` is the actor as the audit names it, `author_name` how it is
-- called, for people who read the note. Both are null where a member wrote it.
alter table note alter column member_id drop not null;
alter table note add column author text;
alter table note add column author_name text;
alter table note add constraint note_by_somebody check (member_id is not null or author is not null) not valid;
alter table note validate constraint note_by_somebody;
