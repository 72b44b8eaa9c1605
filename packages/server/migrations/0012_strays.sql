-- Native coins on a wrong chain. They leave no entry that could be looked for, so the addresses of other chains' legs are
-- read in parts, round and round. One row a chain: where the next part begins.
create table native_walks (
  chain text collate "C" primary key,
  -- The last leg that was looked at; empty at the beginning of a round.
  after text collate "C" not null
);
create index forwarder_vaults_to_walk on forwarder_vaults (livemode, leg_ref) where state = 'open';
