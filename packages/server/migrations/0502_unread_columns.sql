-- contracts: nothing reads these columns.
alter table order_sum_changes drop column order_no;
alter table utxo_cursors drop column start_height;
alter table delivery_workers drop column started_at;
