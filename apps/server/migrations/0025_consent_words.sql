-- A workspace's own words that opt out or in, beside those that every workspace has (contacts/consent/stop-words.ts).
create table consent_word (
  workspace_id uuid not null references workspace (id),
  -- in the one spelling that messages are compared in
  word         text not null,
  wish         text not null check (wish in ('stop', 'start')),
  -- as it was typed, for the list
  shown        text not null,
  primary key (workspace_id, word)
);
