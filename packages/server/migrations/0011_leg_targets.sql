-- Each leg says where its money settles. An order without settle_chain may settle on any chain that the merchant had a
-- receiving address on when it was made: orders.settle_* then show the target of the leg that pays.

-- null: the target was fixed when the order was made. Else what it is open to:
-- {settle, settleAddress: the default; asset: the symbol asked for or null; addresses: receiving address by chain}.
alter table orders add column open_target json;

-- All null in a leg that older code wrote: its order's own target.
alter table pay_legs
  add column settle_chain    text,
  add column settle_asset    text,
  add column settle_contract text,
  add column settle_decimals int,
  add column settle_address  text;
update pay_legs l set settle_chain = o.settle_chain, settle_asset = o.settle_asset, settle_contract = o.settle_contract,
  settle_decimals = o.settle_decimals, settle_address = o.settle_address
from orders o where o.order_no = l.order_no;
