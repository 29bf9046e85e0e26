-- A view holds at most 20 rules, so one of more than 20 groups has an empty group and holds no conversation. Such views
-- could be stored, of tens of thousands of groups, and every page of every member counted them.
delete from desk_view where jsonb_array_length(filter -> 'all') > 20;
