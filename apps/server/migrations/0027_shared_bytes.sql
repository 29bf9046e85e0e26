-- Files that share their bytes: a copy names the file under whose id they lie. So a message that is sent again, or a saved reply,
-- has files of its own without storing them twice. Null: its own id. The bytes go with the last file that has them.
alter table media add column bytes_id uuid;
create index media_sharing on media (workspace_id, bytes_id) where bytes_id is not null;
