-- The list of contacts in the order of names. Contacts without a name stand behind the others and need no entry.
create index contact_by_name on contact (workspace_id, folded(name), id) where name is not null;
