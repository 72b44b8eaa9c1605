-- Lists of orders by a value of their metadata. Only orders that have any are in it; containment is what it answers.
create index orders_by_metadata on orders using gin ((metadata::jsonb) jsonb_path_ops) where metadata::text <> '{}';
