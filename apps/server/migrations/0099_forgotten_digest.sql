-- A platform's id may hold the customer's number. To know it again its digest is enough: the first half of its SHA-256.
alter table forgotten_message alter column provider_message_id type bytea
  using substring(sha256(convert_to(provider_message_id, 'UTF8')) for 16);
alter table forgotten_message rename column provider_message_id to digest;
