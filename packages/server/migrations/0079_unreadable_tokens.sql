-- Tokens of the rails file (otherTokens) that do not answer as tokens do: left out of what is read, and said. asked_at: when
-- one was asked last; null where only its decimals are others than the file says, and it is read all the same.
create table unreadable_tokens (
  chain text collate "C" not null,
  contract text collate "C" not null,
  why text not null,
  since timestamptz not null,
  asked_at timestamptz,
  primary key (chain, contract)
);
