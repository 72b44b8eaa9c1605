-- contracts: exports are streamed, and go on with `after` where they broke off.
drop table order_export_pieces;
drop table order_exports;
