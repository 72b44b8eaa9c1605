drop table reconciliations;
