-- What was asked for and what counts for it at least: a settlement whose payment left the chain is covered again by the rule
-- that paid it first. Rows of an older release have neither; for them the gross is both, as it was.
alter table utxo_settlements
  add column asked numeric(78,0) check (asked > 0),
  add column least numeric(78,0) check (least > 0);
