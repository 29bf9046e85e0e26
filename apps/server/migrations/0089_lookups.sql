-- What an AI bot asked other systems in a turn, with what they answered: [{id, name, arguments, answer, fault, detail, ms}].
alter table ai_turn add column lookups jsonb not null default '[]';
