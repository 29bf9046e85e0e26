-- How many digits the code has: a check of another length is no try. Null: made before this was known, 4 to 10.
alter table otp_verification add column code_length smallint;
