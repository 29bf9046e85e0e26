-- When a workspace is open: its week, periods with a week of their own, and single days. Its zone is the workspace's while
-- time_zone is null. What computes from the hours keeps the version it used.
create table business_hours (
  workspace_id uuid primary key references workspace (id),
  time_zone text,
  week jsonb not null,
  periods jsonb not null,
  days jsonb not null,
  version integer not null,
  changed_at timestamptz not null
);
