-- The transaction that was drawn up for a refund is given again, so that a wallet signs no two that are both valid.
alter table utxo_refunds
  add column draft_psbt text,
  add column draft_fee numeric(78, 0) check (draft_fee >= 0),
  -- `txid:vout` of the coins that every transaction spends that was drawn up and may still be valid.
  add column draft_inputs text[],
  -- A transaction that pays the refund, or spends one of these coins: the newest that was seen.
  add column spent_by text,
  -- null: in no block.
  add column spent_height bigint,
  add column spent_pays boolean;
create index utxo_refunds_drawn on utxo_refunds (chain) where draft_inputs is not null;
