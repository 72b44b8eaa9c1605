-- A payment to an address that no order was given is found by its script.
create index account_addresses_by_script on account_addresses (script);
