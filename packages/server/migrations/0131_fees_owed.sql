-- Fees that are owed are read by month.
create index utxo_settlements_owed on utxo_settlements (created_at) where fee_owed > 0;
