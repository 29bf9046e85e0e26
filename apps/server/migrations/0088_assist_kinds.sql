-- Questions that a model proposes for a source are a kind of their own: they were stored as rewriting.
alter table assist_call
  drop constraint assist_call_kind_check,
  add constraint assist_call_kind_check check (kind in ('summary', 'translation', 'rewriting', 'questions'));
