-- How deep payments to an account have to be, by amount, as whoever set it first says: [{belowUsd, blocks}], the last
-- without a bound. null: as the operator's rails file says, which is also the least.
alter table receiving_accounts add column depths jsonb;
