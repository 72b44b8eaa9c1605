-- What two providers denied is asked about again for a day: both may have been behind a balancer that forgot, and money
-- that was there must be found. ask_at of a row that is orphaned says when.
create index forwarder_observations_refuted on forwarder_observations (chain, ask_at)
  where state = 'orphaned' and ask_at is not null;
create index forwarder_factory_logs_refuted on forwarder_factory_logs (chain, ask_at)
  where state = 'orphaned' and ask_at is not null;
