drop table order_mails;
