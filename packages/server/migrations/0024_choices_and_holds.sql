-- A leg that is chosen again is the current one again, and a settlement can be held back.

-- When it was chosen last; null: when it was opened.
alter table pay_legs add column chosen_at timestamptz;

-- hold: why the settlement is not given to its rail now; null: it is. is_released: the merchant wants it settled all the same.
alter table settlements
  add column hold        text,
  add column is_released boolean not null default false;
