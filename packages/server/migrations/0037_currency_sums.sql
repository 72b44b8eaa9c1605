-- Sums of a merchant's orders by currency, for statistics: dollars are summed as before, these read only the others.
drop index orders_currency;
create index orders_by_currency on orders (merchant_id, livemode, created_at)
  include (currency, exponent, amount_minor, amount_usd_micros) where currency <> 'USD';
create index orders_by_currency_settled on orders (merchant_id, livemode, settled_at)
  include (currency, exponent, amount_minor, amount_usd_micros) where currency <> 'USD' and settled_at is not null;
-- Which currencies are in use lately: only those are worth telling an operator about.
create index orders_currency_in_use on orders (created_at) include (currency) where currency <> 'USD';
