-- concurrently: what these were for is read from sums.
drop index concurrently if exists orders_by_currency;
drop index concurrently if exists orders_by_currency_settled;
