-- Whose word the first scan took for a block: the second one asks somebody else. null: a release before this one read it.
alter table chain_blocks add column read_by text;
