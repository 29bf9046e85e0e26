-- The actor that uploaded the file, as the audit names it ("member:<id>", "key:<id>", "bot:<id>", "cli", "system" or "demo"). Null:
-- a customer sent it, or the row is older than the column.
alter table media add column author text;
