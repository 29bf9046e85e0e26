-- The actor that wrote the row, as the audit names it: "member:<id>", "key:<id>", "bot:<id>", "cli", "system" or "demo". Null:
-- a customer, a platform, an import or a campaign wrote it, or the row is older than the column.
alter table message add column author text;
alter table contact add column author text;
alter table otp_record add column author text;

-- Until now only the command line wrote replies of source 'dashboard'. Those that wait keep the longer window of a person.
update message m set author = 'cli'
from message_outbox o
where m.workspace_id = o.workspace_id and m.id = o.message_id and m.source = 'dashboard';
