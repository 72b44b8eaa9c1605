-- Owner: platform.
-- How often something happened within a window of time: one mechanism in place of a table for each limit.
drop table request_counts;
drop table start_counts;
drop table webhook_tests;

create table limits (
  -- What is counted, and of whom.
  scope   text collate "C" not null,
  -- When this window began, or this twelfth of a sliding one.
  part    timestamptz not null,
  n       int not null,
  -- When no limit counts it any more.
  ends_at timestamptz not null,
  primary key (scope, part)
);
create index limits_by_end on limits (ends_at);
comment on table limits is 'Owner: platform.';
