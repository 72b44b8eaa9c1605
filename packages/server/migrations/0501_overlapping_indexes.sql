-- concurrently: each of these has what another index of its table has, or finds a row among the few that are open.
drop index concurrently if exists attention_pushes;
drop index concurrently if exists attention_to_lapse;
drop index concurrently if exists forwarder_factory_logs_pushes;
drop index concurrently if exists account_addresses_paid;
drop index concurrently if exists intents_legs_due;
drop index concurrently if exists login_codes_of_strangers;
