-- A payment is found by its transfer or its order, and nothing refers to its id: an index of ids was kept for each and read by nobody.
alter table payments drop constraint payments_id_key;
