-- Sign-in codes are counted for the browser that asked, so that a stranger's tries are never the owner's (contract.md 1).

alter table login_codes
  -- Who asked: the hash of a browser's nonce, or the client's address. null: asked of an older release.
  add column asker     text,
  -- Twelve characters instead of six digits: nothing that can be guessed.
  add column is_long   boolean not null default false,
  -- How many wrong tries it bears; a code of six digits gets what the email's day has left.
  add column tries_max int not null default 5,
  -- The email is nobody's here yet.
  add column stranger  boolean not null default false;
create index login_codes_of_strangers on login_codes (created_at) where stranger;

-- From this release on `since` is the time of the newest wrong try: ten in all, until a day passes without one.
alter table login_wrong_tries add column warned_at timestamptz;
