-- What the forwarder rail knows beyond 0009: large orders, and native coins on a wrong chain.

-- Of an amount from which on the chain's stricter rules hold: a payment counts deeper, a settlement is final later.
alter table forwarder_vaults add column is_large boolean not null default false;
-- An address is the same on every chain, so it is looked for without one.
drop index forwarder_vaults_by_address;
create index forwarder_vaults_by_vault on forwarder_vaults (vault);

-- Native coins on a wrong chain. They leave no entry that could be looked for, so the addresses of other chains' legs are
-- read in parts, round and round. One row a chain: where the next part begins.
create table native_walks (
  chain text collate "C" primary key,
  -- The last leg that was looked at; empty at the beginning of a round.
  after text collate "C" not null
);
create index forwarder_vaults_to_walk on forwarder_vaults (livemode, leg_ref) where state = 'open';
