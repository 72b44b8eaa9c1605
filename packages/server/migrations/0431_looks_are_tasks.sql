drop table order_looks;
