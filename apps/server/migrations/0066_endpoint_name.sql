-- The name by which a program creates and updates an endpoint: one endpoint of a name in a workspace.
alter table endpoint add column name text;
create unique index endpoint_name on endpoint (workspace_id, name) where name is not null;

-- Endpoints that were deleted, until a worker has deleted their deliveries. A row stays for an hour, because an event
-- that was being stored meanwhile may add a last delivery.
create table deleted_endpoint (
  workspace_id  uuid not null,
  endpoint_id   uuid not null,
  deleted_at    timestamptz not null,
  -- when all deliveries there were had been deleted
  swept_at      timestamptz,
  primary key (workspace_id, endpoint_id)
);
