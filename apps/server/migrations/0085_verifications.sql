-- Codes that Parley makes, sends and compares. Of a code only an HMAC under a key outside the database is kept, until the
-- verification ends.
create table otp_verification (
  workspace_id uuid not null,
  id           uuid not null,
  -- the passcode's record: gateway, segments, receipt
  request_id   uuid not null,
  mobile       text not null,
  purpose      text,
  status       text not null check (status in ('pending', 'approved', 'exhausted', 'expired', 'canceled', 'failed')),
  code_mac     bytea,
  tries        smallint not null default 0,
  error_code   text,
  author       text not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  ended_at     timestamptz,
  primary key (workspace_id, id),
  check ((status = 'pending') = (code_mac is not null))
);
-- a new code to a number ends the old one; an erased number's verifications are deleted
create index otp_verification_by_mobile on otp_verification (workspace_id, mobile);

-- The countries whose numbers get codes; null: all.
alter table workspace add column otp_countries text[];
