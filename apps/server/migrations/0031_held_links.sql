-- Who made a link for a new password: the member is judged again when the link is used. Null: it was mailed to the
-- person, or the operator made it.
alter table password_reset
  add column made_in uuid,
  add column made_by uuid;

-- How many wrong codes were given at this step of a sign-in.
alter table sign_in_step add column wrong smallint not null default 0;
