-- What lets a lost database lose no deposit: the seed that refs and the journal's key come from, and proofs that name
-- all that a vault's address is made of.

-- One row. `seed_id` names the seed without giving anything of it away; the journal's files carry it too.
create table recovery_seed (
  one         boolean primary key default true check (one),
  seed_id     text not null,
  key_id      text not null,
  -- 32 random bytes, sealed under the master key.
  box         bytea not null,
  created_at  timestamptz not null,
  -- null: nobody has taken a copy yet
  exported_at timestamptz
);

-- Legs that were opened before a proof named the vault and the code behind it.
update pay_legs l
set proof = json_build_object('kind', 'evm-route', 'chain_id', (v.route ->> 'chainId')::bigint,
  'factory', l.proof ->> 'factory', 'impl', v.impl, 'vault', l.address, 'route', v.route)
from forwarder_vaults v
where v.leg_ref = l.ref and l.proof is not null and l.proof ->> 'vault' is null;

update forwarder_vaults v
set opened = jsonb_set(v.opened::jsonb, '{proof}', jsonb_build_object('kind', 'evm-route',
  'chain_id', (v.route ->> 'chainId')::bigint, 'factory', v.opened -> 'proof' ->> 'factory', 'impl', v.impl,
  'vault', v.opened ->> 'address', 'route', v.route::jsonb))::json
where v.opened -> 'proof' ->> 'vault' is null and v.opened -> 'proof' ->> 'kind' = 'evm-route';
