-- slower.sql - which methods became slower between two builds
--
-- For each method, the mean exclusive time of a call in each run; then the
-- change of the mean over runs, with an interval of 99.9 % (by the normal
-- distribution, as there are many runs). A method is shown if the interval does
-- not contain 0.
WITH runs AS (
	SELECT build, trace, class, name, signature,
		sum(exclusive_wall_ns) / sum(calls + recursive_calls) AS ns
	FROM read_parquet('profile/*/*.parquet', hive_partitioning = true)
	WHERE build IN ('b06', 'b07') AND calls + recursive_calls > 0
	GROUP BY ALL
), builds AS (
	SELECT build, class, name, signature, count(*) AS runs,
		avg(ns) AS mean, var_samp(ns) / count(*) AS error
	FROM runs GROUP BY ALL
), changes AS (
	SELECT old.class || '.' || old.name AS method,
		old.mean AS old_ns, new.mean AS new_ns,
		new.mean / old.mean - 1 AS change,
		3.29 * sqrt(old.error + new.error) / old.mean AS interval
	FROM builds old JOIN builds new USING (class, name, signature)
	WHERE old.build = 'b06' AND new.build = 'b07'
)
SELECT method, round(old_ns) AS old_ns, round(new_ns) AS new_ns,
	round(100 * change, 1) AS change_percent,
	round(100 * interval, 1) AS plus_minus
FROM changes WHERE change > interval
ORDER BY (new_ns - old_ns) DESC;
