-- The logo as mails carry it: small, since each mail takes it along. null with a logo: it is from before, and is sent as it is.
alter table merchant_brands add column mail_logo bytea;
