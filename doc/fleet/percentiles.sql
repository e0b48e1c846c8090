-- percentiles.sql - how long the calls of a method take, by build
SELECT build, count(*) AS calls,
	round(quantile_cont(duration_ns, 0.50)) AS p50_ns,
	round(quantile_cont(duration_ns, 0.95)) AS p95_ns,
	round(quantile_cont(duration_ns, 0.99)) AS p99_ns
FROM read_parquet('calls/*/*.parquet', hive_partitioning = true)
WHERE class = 'app/Json' AND name = 'parse' AND NOT cut
GROUP BY build ORDER BY build;
