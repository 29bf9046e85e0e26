-- The last backup that `parley backup` made of this database. It is in no backup.
create table backup_made (
  only_one boolean primary key default true check (only_one),
  at       timestamptz not null,
  rows     bigint not null,
  files    integer not null
);
