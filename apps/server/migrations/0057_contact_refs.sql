-- What other systems call a contact: {"crm": "42"}. A value leads to one contact of the workspace, so a program finds its own.
create table contact_ref (
  workspace_id  uuid not null,
  system        text not null,
  value         text not null,
  contact_id    uuid not null,
  -- it was of a contact that was merged into this one, which has a value of its own for the system: it still leads here
  merged_at     timestamptz,
  created_at    timestamptz not null,
  primary key (workspace_id, system, value)
);
create unique index contact_ref_by_contact on contact_ref (workspace_id, contact_id, system) where merged_at is null;
create index contact_ref_merged on contact_ref (workspace_id, contact_id) where merged_at is not null;
