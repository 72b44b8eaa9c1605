-- concurrently: whether an address is a merchant's is asked for each address that a third party gives.
create index concurrently receiving_addresses_by_address on receiving_addresses (address);
