-- Requests of a minute, by whoever makes many: each process adds what it counted every second, so all of them know about all of it. Not
-- logged: after a crash the minute begins anew.
create unlogged table request_counts (
  holder text collate "C" not null,
  minute timestamptz not null,
  n int not null,
  primary key (holder, minute)
);
