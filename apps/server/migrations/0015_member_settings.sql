-- How each member wants the interface. Keys that are absent have their default (workspaces/member-settings.ts).
alter table member add column settings jsonb not null default '{}';
