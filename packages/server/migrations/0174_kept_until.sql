-- An order that somebody put back from the archive stays for a while: whoever wanted it is not done within the hour.
alter table orders add column kept_until timestamptz;
