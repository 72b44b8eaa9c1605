-- The locale that the payer's browser asks for, or that the merchant named: mails to the payer are in its language.
alter table orders add column payer_locale text;
alter table invoices add column payer_locale text;
