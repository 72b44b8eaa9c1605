-- The IANA time zone that a merchant's days are of, such as Europe/Berlin. Set by the merchant, or by the console at its first visit
-- to the browser's; null: never set, days are of UTC.
alter table merchants add column time_zone text;
