-- Where a process runs and answers, for `parley doctor`. Null: an older Parley wrote the row.
alter table process add column role text;
alter table process add column machine text;
alter table process add column address text;
