-- Where the customer said so, in the words of the program that changed the consent: a form, a call, a shop.
alter table consent_entry add column given_source text;
