alter table receiving_accounts drop column read_turn;
