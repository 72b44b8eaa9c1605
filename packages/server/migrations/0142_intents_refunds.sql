-- The refund of a swap's money that was asked for last: it fails with the swap, whenever the provider says so.
alter table intents_legs add column refund_id text collate "C";
