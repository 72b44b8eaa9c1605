-- concurrently: swaps are opened while these are built.
create index concurrently intents_legs_to_look_at on intents_legs ((pay ->> 'chain'), returns_from)
  where stage = 'waiting' and due_at is not null;
create index concurrently intents_legs_seen on intents_legs ((pay ->> 'chain'), seen_due_at) where seen_due_at is not null;
