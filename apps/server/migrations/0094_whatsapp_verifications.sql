-- How the code of a verification was sent. Those before went by SMS.
alter table otp_verification add column channel text not null default 'sms' check (channel in ('sms', 'whatsapp'));
