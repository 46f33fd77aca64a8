-- A transaction now gets its record together with its data key, so the retention no longer searches for keys without a record.
drop index data_keys_by_age;
