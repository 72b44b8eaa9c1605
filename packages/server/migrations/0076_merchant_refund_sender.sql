-- Where the transfer came from that a refund by the merchant was recorded for: shown to merchant and payer.
alter table merchant_refunds add column sender text;
