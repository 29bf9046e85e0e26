-- What a channel's platform calls came to: written once a minute at most, whatever the number of calls.
set local lock_timeout = '2s';

alter table channel
  -- when a call with the right signature was last taken in
  add column last_webhook_at timestamptz,
  -- calls with a wrong signature since wrong_signatures_since, the last at wrong_signature_at; a day without one ends it
  add column wrong_signatures integer not null default 0,
  add column wrong_signatures_since timestamptz,
  add column wrong_signature_at timestamptz,
  -- when the platform last asked with another verify token than ours
  add column wrong_verify_token_at timestamptz;
