-- Bounds the gas that one merchant's receivers burn, however many there are. merchant_id: the account of the order; null: the address is
-- older than this column, or was restored from the journal, and its receiving address stands for the merchant. burnt: how often a
-- transaction of the item failed on the chain by its own doing; a later success takes nothing back. is_account: whether its receiver had no
-- code and so cannot burn gas; null: not looked at.
alter table forwarder_vaults add column merchant_id text;
alter table relay_items add column burnt integer not null default 0, add column is_account boolean;
create index relay_items_burnt on relay_items (chain, updated_at) where burnt > 0;
