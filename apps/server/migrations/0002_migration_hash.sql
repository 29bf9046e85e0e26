-- Of every migration that was applied, the SHA-256 of its file: a start compares them with its own files. 0001 was applied
-- without one, and whoever applies this migration has just seen that the catalogue is the one that 0001 makes.
alter table migration add column hash text;
update migration set hash = '53ea361c2187f797b15050fdfefe36cce9259f85fddd27035cb845cd729e90f0' where name = '0001_core.sql';
