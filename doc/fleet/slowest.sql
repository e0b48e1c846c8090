-- slowest.sql - the slowest 20 calls of all, and how to look at each
--
-- A window begins and ends with whole microseconds; this one has a millisecond
-- before and after the call.
SELECT build, class || '.' || name AS method, duration_ns, start_time,
	'dmtrace view --open'
	|| ' --from=' || greatest(start_ns // 1000 - 1000, 0) || 'us'
	|| ' --to=' || (start_ns + duration_ns) // 1000 + 1000 || 'us'
	|| ' -t ' || thread || ' ' || trace AS command
FROM read_parquet('calls/*/*.parquet', hive_partitioning = true)
WHERE depth > 1
ORDER BY duration_ns DESC, trace, call LIMIT 20;
