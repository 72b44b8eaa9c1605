-- A request that makes an endpoint looks for its Idempotency-Key among deleted ones too.
create index webhook_endpoints_once on webhook_endpoints (once_key) where once_key is not null;
