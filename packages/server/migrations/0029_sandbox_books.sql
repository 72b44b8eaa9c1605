-- The sandbox's own books (0022) of what it returned before it kept any. May run again: it adds only what is missing.
update sandbox_refunds s set leg_ref = l.ref, amount = r.amount,
  asset = json_build_object('chain', r.chain, 'asset', r.asset, 'contract', r.contract, 'decimals', r.decimals)
from refunds r join pay_legs l on l.id = r.pay_leg_id
where s.id = r.id and s.leg_ref is null;

insert into sandbox_outflows (order_ref, leg_ref, chain, contract, amount)
select o.order_ref, l.ref, r.chain, r.contract, r.amount
from refunds r join pay_legs l on l.id = r.pay_leg_id join orders o on o.order_no = r.order_no
where l.rail = 'sandbox' and r.reason = 'returned_by_rail' and r.status = 'succeeded'
  and exists (select 1 from sandbox_legs s where s.ref = l.ref)
  and not exists (select 1 from sandbox_outflows s where s.leg_ref = l.ref);
