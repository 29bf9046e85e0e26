-- An SMS account that waits for its test while the verified one keeps sending. A test that passes moves it into
-- sms_provider, under the same id. Its secrets are sealed at the place of that id.
create table sms_provider_next (
  workspace_id    uuid primary key references workspace (id),
  provider        text not null,
  api_url         text,
  api_url_guarded boolean not null,
  settings        jsonb not null,
  secrets_sealed  bytea not null,
  updated_at      timestamptz not null
);
