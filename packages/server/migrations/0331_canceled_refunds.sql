-- concurrently: refunds are written while it is built. A transfer may have paid a refund before its request was canceled.
create index concurrently merchant_refunds_to_find on merchant_refunds (look_at)
  where status in ('requested', 'canceled') and look_at is not null;
drop index concurrently if exists merchant_refunds_to_look_at;
