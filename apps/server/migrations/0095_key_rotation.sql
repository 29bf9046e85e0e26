-- A change of the master key. `next_mark` tells the key that follows; null: none is under way. `phase`: every process
-- learns the next key (announced), then seals with it (sealing). `next_wrapped` is the next key, wrapped under the
-- present one, for servers that were started with that; it is deleted at the end. Each move raises `step`.
alter table master_key
  add column step          integer not null default 0,
  add column phase         text check (phase in ('announced', 'sealing')),
  add column next_mark     text,
  add column next_wrapped  bytea,
  add column leaked        boolean not null default false,
  add column begun_at      timestamptz,
  add column previous_mark text,
  add column rotated_at    timestamptz,
  add constraint master_key_next check ((phase is null) = (next_mark is null));

-- Keys of one purpose that were derived from an earlier master key, wrapped under a later one (`under`). What they made
-- is accepted until `until`; null: for as long as the row is kept. `position` orders the master keys, the oldest first.
create table kept_key (
  under    text not null,
  mark     text not null,
  purpose  text not null,
  position integer not null,
  wrapped  bytea not null,
  until    timestamptz,
  primary key (under, mark, purpose)
);

-- The last move of a change of the master key that the process follows.
alter table process add column key_step integer;
