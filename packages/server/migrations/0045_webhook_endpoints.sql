-- Receivers that a merchant registers once for the account and a mode, beside the webhook_url of an order.
create table webhook_endpoints (
  id text collate "C" primary key,
  merchant_id text collate "C" not null references merchants (id),
  merchant_no int not null,
  livemode boolean not null,
  url text not null,
  -- The queue lane of the URL: the deliveries of an event are written by one statement, which cannot work it out.
  lane bigint not null,
  description text,
  events text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  disabled_at timestamptz,
  disabled_by text,
  -- Since when deliveries end as dead without one that is taken; null: all is well.
  failing_since timestamptz,
  deleted_at timestamptz,
  constraint webhook_endpoints_disabled_by_check check (disabled_by in ('merchant', 'failures'))
);
create index webhook_endpoints_of_merchant on webhook_endpoints (merchant_no, livemode, id) where deleted_at is null;

-- A secret is of an API key or of an endpoint.
alter table webhook_secrets alter column api_key_id drop not null;
alter table webhook_secrets add column endpoint_id text collate "C" references webhook_endpoints (id);
alter table webhook_secrets add constraint webhook_secrets_one_owner check (num_nonnulls(api_key_id, endpoint_id) = 1);
create index webhook_secrets_of_endpoint on webhook_secrets (endpoint_id) where endpoint_id is not null;

-- A delivery is signed by the key of its order, or by the endpoint that it goes to.
alter table deliveries alter column api_key_id drop not null;
alter table deliveries add column endpoint_id text collate "C";
alter table deliveries add constraint deliveries_one_signer check (num_nonnulls(api_key_id, endpoint_id) = 1);
create index deliveries_of_endpoint on deliveries (endpoint_id, status, id) where endpoint_id is not null;
