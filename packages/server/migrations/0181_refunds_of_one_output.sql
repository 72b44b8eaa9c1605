-- One output of the merchant's own coins may pay several of that merchant's refunds: as many as it is large enough for.
drop index utxo_refunds_one_output;
create index utxo_refunds_by_output on utxo_refunds (chain, tx_hash, vout) where tx_hash is not null;
