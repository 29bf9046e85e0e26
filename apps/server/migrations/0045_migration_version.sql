-- Which Parley applied each migration: a database that a newer one migrated is refused with the version to start.
alter table migration add column version text;
