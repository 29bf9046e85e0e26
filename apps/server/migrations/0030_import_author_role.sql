-- The role that the uploader of a file had is read and written no more: a worker asks for the present one. A process of an older
-- version may still write it, so the column stays for now and may be empty.
alter table import_file alter column author_role drop not null;
