-- An Idempotency-Key of a call that makes one of these (contract.md 4.1), as hashes of the key and of the body it came with.
alter table merchant_refunds add column once_key text, add column once_body text;
alter table webhook_endpoints add column once_key text, add column once_body text;
