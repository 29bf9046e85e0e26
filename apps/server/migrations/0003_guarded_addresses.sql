-- Addresses that a workspace set are called through the address guard. Every address until now was set by the operator
-- at the command line, or by the sandbox, and stays callable: hence the default. A new column with a constant default
-- is a change of the catalogue alone.
set local lock_timeout = '2s';
alter table channel add column api_url_guarded boolean not null default false;
alter table sms_provider add column api_url_guarded boolean not null default false;
