-- A try to opt somebody in against their own STOP is held: it stands in the ledger and changes nothing. An opt-out that
-- passed to a contact in a merge keeps that it was the customer's own word.
alter table consent_entry add column held boolean not null default false;
alter table consent_entry add column by_customer boolean not null default false;
-- How a person knew that the customer asked for an opt-in.
alter table consent_entry add column evidence text;
