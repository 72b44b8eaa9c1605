-- What a merchant's pages look like to payers: accent colour, support contact, logo.

create table merchant_brands (
  merchant_id   text collate "C" primary key references merchants,
  -- names the pictures in their addresses; another one with each change, so that they can be cached for ever
  public_id     text collate "C" not null unique,
  accent        text check (accent ~ '^#[0-9a-f]{6}$'),
  support_email text,
  support_url   text,
  -- PNG that we encoded; what was uploaded is not kept
  logo          bytea,
  logo_width    integer,
  logo_height   integer,
  icon          bytea,
  card          bytea not null,
  updated_at    timestamptz not null,
  check ((logo is null) = (logo_width is null) and (logo is null) = (logo_height is null)
         and (logo is null) = (icon is null))
);
