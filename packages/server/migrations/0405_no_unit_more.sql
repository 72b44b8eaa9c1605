-- Two merchants may ask for the same amount at the same address: a request asks for what is owed and nothing more.
alter table merchant_refunds drop column extra;
alter table utxo_refunds drop column extra;
