-- The factory's PushFailed, which starts the time after which anybody may have the money sent to the other side.
alter table forwarder_factory_logs drop constraint forwarder_factory_logs_event_check,
  add constraint forwarder_factory_logs_event_check
    check (event in ('Settled', 'SettleFailed', 'Refunded', 'RefundProposed', 'RefundVetoed', 'PushFailed')),
  -- The block's time: what was open to anybody by then. null: written by an older release.
  add column block_time timestamptz;
create index forwarder_factory_logs_pushes on forwarder_factory_logs (chain, vault) where event = 'PushFailed';
create index attention_pushes on attention (created_at) where resolved_at is null and kind = 'push_failed';
create index attention_of_order on attention (order_no, id desc) where resolved_at is null;
