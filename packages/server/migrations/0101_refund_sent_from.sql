-- Who says that a merchant paid a refund from an own wallet: the chain, by coins of the receiving address or account, or the
-- merchant alone. null: recorded before it was told apart, or not recorded.
alter table merchant_refunds add column sent_from text check (sent_from in ('own', 'word'));
-- Whose coins a transaction spends.
create index utxo_outputs_by_coin on utxo_outputs (txid, vout);
