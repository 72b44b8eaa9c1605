alter table merchant_refunds drop column look_at, drop column searched_to;
