-- How many contacts a workspace has is one counter. Versions before this one also kept counts by blocks (contact_block,
-- open_start, open_count). A process of such a version may still run beside this one, so they go in a later version.
alter table contact_total alter column open_start set default '00000000-0000-0000-0000-000000000000';
alter table contact_total alter column open_count set default 0;

-- How many contacts a change to many has read, for its progress.
alter table contact_job add column looked bigint not null default 0;
