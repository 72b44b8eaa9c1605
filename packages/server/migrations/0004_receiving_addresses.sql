-- Where a merchant's money goes: one address a chain, in canonical form, and every address there ever was.

create table receiving_addresses (
  merchant_id text collate "C" not null references merchants,
  chain       text not null,
  address     text not null,
  label       text,
  updated_at  timestamptz not null,
  constraint one_address_per_chain primary key (merchant_id, chain)
);

create table receiving_address_history (
  id          text collate "C" primary key,
  merchant_id text collate "C" not null references merchants,
  chain       text not null,
  -- null: the address was removed
  address     text,
  label       text,
  changed_by  text not null,
  changed_at  timestamptz not null
);
create index receiving_address_history_of_merchant on receiving_address_history (merchant_id, id desc);
create trigger receiving_address_history_is_append_only before update or delete on receiving_address_history
  for each row execute function refuse_change();
