-- Where people write numbers without their country code: the country whose code they mean. Null: none is added.
alter table workspace add column country text check (country ~ '^[A-Z]{2}$');

-- What an import did beside storing and refusing; it goes on counting when it was broken off.
alter table contact_import
  add column phones_completed bigint not null default 0,
  add column emails_left_out bigint not null default 0;
