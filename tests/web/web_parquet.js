// web_parquet.js - exports to Parquet as DuckDB and hyparquet read them
//
// The arguments are the number of the first case, the folder of the modules,
// and names: NAME.parquet has the calls of a trace, NAME.profile.parquet its
// profile, NAME.events.parquet its events, and NAME.json is what "dmtrace
// report" prints. The last name is that of a trace with several row groups and
// one thread, in the order of time.
"use strict";

const fs = require("fs");
const path = require("path");
const { claim, same } = require("./web_cases.js");

const modules = process.argv[3];
const names = process.argv.slice(4);
const { DuckDBInstance } = require(path.join(modules, "@duckdb/node-api"));

const callColumns = {
	trace: "VARCHAR", thread: "BIGINT", thread_name: "VARCHAR",
	id: "VARCHAR", class: "VARCHAR", name: "VARCHAR",
	signature: "VARCHAR", start_time: "TIMESTAMP WITH TIME ZONE",
	start_ns: "BIGINT", duration_ns: "BIGINT", exclusive_ns: "BIGINT",
	cpu_ns: "BIGINT", exclusive_cpu_ns: "BIGINT", depth: "BIGINT",
	recursive: "BOOLEAN", call: "BIGINT", parent: "BIGINT", cut: "BOOLEAN"
};

// A name in a report is not escaped, but has no bytes that are not UTF-8.
function escaped(name) {
	const short = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
	const unsafe = /[\\\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

	return (name ?? "").replace(unsafe, (c) => short[c] ??
		Array.from(Buffer.from(c), (byte) =>
			`\\x${byte.toString(16).padStart(2, "0")}`).join(""));
}

function readReport(name) {
	return JSON.parse(fs.readFileSync(`${name}.json`, "utf8"))
		.filter((row) => row.kind === "method" &&
			row.calls + row.recursive_calls > 0)
		.map((row) => ({ class: escaped(row.class),
			name: escaped(row.name),
			signature: escaped(row.signature),
			calls: row.calls, recursive: row.recursive_calls,
			wall: row.inclusive_wall_ns,
			exclusive: row.exclusive_wall_ns,
			cpu: row.inclusive_cpu_ns,
			exclusiveCpu: row.exclusive_cpu_ns }));
}

function sorted(rows) {
	return rows.map((row) => JSON.stringify(row)
		.replace(/\\\\x[89a-f][0-9a-f]/g, "\ufffd")).sort();
}

const methodsOfCalls = `SELECT class, name, signature,
	count(*) FILTER (NOT recursive)::DOUBLE AS calls,
	count(*) FILTER (recursive)::DOUBLE AS recursive,
	sum(duration_ns) FILTER (NOT recursive)::DOUBLE AS wall,
	sum(exclusive_ns)::DOUBLE AS exclusive,
	CASE WHEN count(*) FILTER (NOT recursive) = count(cpu_ns)
	    FILTER (NOT recursive)
	    THEN sum(cpu_ns) FILTER (NOT recursive) END::DOUBLE AS cpu,
	CASE WHEN count(*) = count(exclusive_cpu_ns)
	    THEN sum(exclusive_cpu_ns) END::DOUBLE AS "exclusiveCpu"
	FROM $file GROUP BY class, name, signature`;

const methodsOfProfile = `SELECT class, name, signature,
	calls::DOUBLE AS calls, recursive_calls::DOUBLE AS recursive,
	inclusive_wall_ns::DOUBLE AS wall,
	exclusive_wall_ns::DOUBLE AS exclusive,
	inclusive_cpu_ns::DOUBLE AS cpu,
	exclusive_cpu_ns::DOUBLE AS "exclusiveCpu"
	FROM $file WHERE calls + recursive_calls > 0`;

// NULL where a report has a sum of no calls, 0.
function zeroed(rows) {
	return rows.map((row) => row.calls > 0 ? row :
		{ ...row, wall: row.wall ?? 0, cpu: row.cpu ?? 0 });
}

function text(value) {
	return value === null || value === undefined ? null :
		value instanceof Date ? value.getTime() : String(value);
}

// The values of columns in DuckDB, as hyparquet has them.
function shown(row, types) {
	return Object.keys(types).map((name) => row[name] === null ? null :
		types[name].startsWith("TIMESTAMP") ?
		Date.parse(`${row[name].replace(" ", "T")
			.replace(/[+]00$/, "")}Z`) : String(row[name]));
}

async function run() {
	const database = await DuckDBInstance.create(":memory:");
	const connection = await database.connect();
	const query = async (sql) =>
		(await connection.runAndReadAll(sql)).getRowObjectsJson();
	const typesOf = async (file) => Object.fromEntries((await query(
		`DESCRIBE SELECT * FROM '${file}'`)).map((row) =>
		[row.column_name, row.column_type]));
	const hyparquet = await import(path.join(modules,
		"hyparquet/src/node.js"));
	await query("SET TimeZone = 'UTC'");

	// The same values in both; of a long table those around the end of its
	// first row group.
	async function read(name) {
		const types = await typesOf(`${name}.parquet`);
		const file = await hyparquet.asyncBufferFromFile(
			`${name}.parquet`);
		const [{ count }] = await query(
			`SELECT count(*) AS count FROM '${name}.parquet'`);
		const [first, end] = count > 394000 ? [393000, 393400] :
			[0, Number(count)];
		const rows = await hyparquet.parquetReadObjects(
			{ file, rowStart: first, rowEnd: end });

		return [rows.map((row) => Object.keys(types)
			.map((key) => text(row[key]))),
		(await query(`SELECT * FROM '${name}.parquet' WHERE
			file_row_number >= ${first} AND
			file_row_number < ${end}`))
			.map((row) => shown(row, types))];
	}

	await claim("calls have the columns of the page", async () =>
		same(await typesOf(`${names[0]}.parquet`), callColumns));
	for (const name of names) {
		const report = zeroed(readReport(name));
		const label = path.basename(name);

		await claim(`${label}: sums of calls are those of report`,
			async () =>
				same(sorted(zeroed(await query(methodsOfCalls
				.replace("$file", `'${name}.parquet'`)))),
			sorted(report)));
		await claim(`${label}: rows of a profile are those of report`,
			async () => same(sorted(zeroed(await query(
				methodsOfProfile.replace("$file",
					`'${name}.profile.parquet'`)))),
			sorted(report)));
		await claim(`${label}: hyparquet reads the same values`,
			async () => {
				for (const kind of ["", ".profile", ".events"])
					same(...await read(`${name}${kind}`));
			});
		await claim(`${label}: the lowest and highest values are right`,
			async () => {
				const chunks =
					await query(`SELECT path_in_schema
				AS name, min(stats_min_value) AS low,
				max(stats_max_value) AS high,
				sum(stats_null_count) AS nulls
				FROM parquet_metadata('${name}.parquet')
				WHERE row_group_id = 0 GROUP BY ALL`);
				const count = (await query(`SELECT
				max(row_group_num_rows) AS n FROM
				parquet_metadata('${name}.parquet')
				WHERE row_group_id = 0`))[0].n;

				for (const { name: column, low, high, nulls } of
					chunks) {
					const found = (await query(`SELECT
					min("${column}")::VARCHAR AS low,
					max("${column}")::VARCHAR AS high,
					count(*) - count("${column}") AS nulls
					FROM (SELECT * FROM '${name}.parquet'
					WHERE file_row_number < ${count})`))[0];

					if (found.low !== null &&
					    found.low.length > 1024)
						continue;
					if (found.high !== null &&
					    found.high.length > 1024)
						continue;
					same([column, low, high, Number(nulls)],
						[column, found.low, found.high,
							Number(found.nulls)]);
				}
			});
	}

	await claim("files are one table by a pattern", async () => {
		const folder = path.dirname(names[0]);
		const all = names.map((name) => `'${name}.parquet'`);
		const [{ files, calls }] = await query(`SELECT
			count(DISTINCT trace) AS files, count(*) AS calls
			FROM '${folder}/*[0-9].parquet'`);
		const [{ some, sum }] = await query(`SELECT
			count(DISTINCT filename) AS some, count(*) AS sum
			FROM read_parquet([${all}], filename = true)`);

		same([files, calls], [some, sum]);
	});
	await claim("folders are partitions", async () => {
		for (const [at, name] of names.slice(0, 2).entries()) {
			fs.mkdirSync(`parts/build=${at + 7}`,
				{ recursive: true });
			fs.copyFileSync(`${name}.parquet`,
				`parts/build=${at + 7}/a.parquet`);
		}
		const plan = JSON.stringify(await query(`EXPLAIN ANALYZE
			SELECT count(*) FROM read_parquet(
			'parts/*/*.parquet', hive_partitioning = true)
			WHERE build = 8`));
		const [{ n }] = await query(`SELECT count(*) AS n FROM
			read_parquet('parts/*/*.parquet',
			hive_partitioning = true) WHERE build = 8`);
		const [{ m }] = await query(
			`SELECT count(*) AS m FROM '${names[1]}.parquet'`);

		same(n, m);
		if (!/Total Files Read: 1 /.test(plan))
			throw new Error(plan);
	});

	const last = `${names[names.length - 1]}.parquet`;
	await claim("a range that no row group has needs no scan", async () => {
		const plan = JSON.stringify(await query(`EXPLAIN ANALYZE
			SELECT count(*), sum(duration_ns) FROM '${last}'
			WHERE start_ns > 1000000000000000`));

		return /EMPTY_RESULT/.test(plan);
	});
	await claim("row groups outside of a range are not read", async () => {
		const groups = await query(`SELECT row_group_id AS id,
			max(stats_max_value::BIGINT) AS high FROM
			parquet_metadata('${last}') WHERE
			path_in_schema = 'start_ns' GROUP BY ALL ORDER BY id`);
		const sums = (file) => query(`SELECT count(*) AS calls,
			sum(duration_ns) AS ns FROM '${file}'
			WHERE start_ns > ${groups[0].high}`);
		const bytes = fs.readFileSync(last);
		const [{ end }] = await query(`SELECT
			min(coalesce(dictionary_page_offset, data_page_offset))
			AS end FROM parquet_metadata('${last}')
			WHERE row_group_id = 1`);

		if (groups.length < 2)
			throw new Error("one row group");
		bytes.fill(0xff, 4, Number(end));
		fs.writeFileSync("damaged.parquet", bytes);
		same(await sums("damaged.parquet"), await sums(last));
	});
	await claim("the metadata says what the trace was", async () => {
		const pairs = Object.fromEntries((await query(`SELECT
			key::VARCHAR AS key, value::VARCHAR AS value FROM
			parquet_kv_metadata('${last}')`))
			.map(({ key, value }) => [key, value]));

		same([pairs["dmtrace.schema"], pairs["dmtrace.rows"],
			pairs["dmtrace.dialect"], pairs["dmtrace.clock"]],
		["1", "calls", "v3", "dual"]);
	});
}

run();
