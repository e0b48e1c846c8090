-- flame.sql - the paths of calls of a build, as collapsed stacks
--
-- Each call is joined with its caller, from the outermost ones on. The result,
-- without the line of names, is for "dmtrace import", and that for
-- "dmtrace flame".
WITH RECURSIVE all_calls AS (
	SELECT trace, thread, call, parent, exclusive_ns,
		replace(class, '/', '.') || '.' || name AS method
	FROM read_parquet('calls/*/*.parquet', hive_partitioning = true)
	WHERE build = 'b07'
), paths AS (
	SELECT trace, thread, call, method AS path, exclusive_ns
	FROM all_calls WHERE parent IS NULL
	UNION ALL
	SELECT c.trace, c.thread, c.call, p.path || ';' || c.method,
		c.exclusive_ns
	FROM all_calls c JOIN paths p
	ON c.trace = p.trace AND c.thread = p.thread AND c.parent = p.call
)
SELECT path || ' ' || sum(exclusive_ns) AS line
FROM paths GROUP BY path HAVING sum(exclusive_ns) > 0 ORDER BY path;
