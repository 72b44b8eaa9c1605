-- Which payments a refund returns, fixed when it begins: [{"payment": id, "amount": units}]. A wallet's signature moves its own
-- part and no more. null: the refund was not begun here, or began before this column.
alter table refunds add column parts jsonb;
