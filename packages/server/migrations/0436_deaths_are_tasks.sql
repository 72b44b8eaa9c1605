drop table delivery_deaths;
