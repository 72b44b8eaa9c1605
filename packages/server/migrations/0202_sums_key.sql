-- Nothing is read from the key any more, so it holds no figures.
alter table order_sums drop constraint order_sums_pkey;
alter table order_sums add constraint order_sums_pkey primary key using index order_sums_key;
