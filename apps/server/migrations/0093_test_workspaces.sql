-- A test workspace has channels of the sandbox only, and its keys begin with pk_test_. What a workspace is never changes.
alter table workspace add column kind text not null default 'live' check (kind in ('live', 'test'));
