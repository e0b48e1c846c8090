// query.js - runs a file of SQL in DuckDB, and prints the rows as TSV
//
//	NODE_PATH=.../node_modules node query.js FILE.sql
//
// The number of rows and the time go to standard error. "duckdb" does the same.
"use strict";

const fs = require("fs");
const { DuckDBInstance } = require("@duckdb/node-api");

async function run(file) {
	const database = await DuckDBInstance.create(":memory:");
	const connection = await database.connect();
	await connection.run("SET TimeZone = 'UTC'");
	const begin = process.hrtime.bigint();
	const rows = (await connection.runAndReadAll(
		fs.readFileSync(file, "utf8"))).getRowObjectsJson();
	const ms = Number(process.hrtime.bigint() - begin) / 1e6;

	for (const [at, row] of rows.entries()) {
		if (at === 0)
			console.log(Object.keys(row).join("\t"));
		console.log(Object.values(row).join("\t"));
	}
	console.error(`${file}: ${rows.length} rows, ${ms.toFixed(0)} ms`);
}

run(process.argv[2]).catch((error) => {
	console.error(error.message);
	process.exit(1);
});
