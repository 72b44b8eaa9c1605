-- At most one refund of a leg's money in one asset to one address is under way at a time.

-- Accepted when none was. false: a settlement, an older release's, or one that a reorg brought back beside a later one.
alter table relay_items add column in_turn boolean not null default false;
create unique index relay_items_one_refund on relay_items (leg_ref, chain, coalesce(token, ''), to_address)
  where in_turn and kind <> 'settle' and state in ('waiting', 'sent');
