/* version.c - the versions of the data header: the table of them */

#include "format/header.h"

/* A new version is a new row here. */
static const struct dmt_version version_rows[] = {
	/* header, records, container, dialect, name */
	{ 1,    1, DMTRACE_CONTAINER_DATA, DMTRACE_DIALECT_V1, "v1" },
	{ 2,    2, DMTRACE_CONTAINER_DATA, DMTRACE_DIALECT_V2, "v2" },
	{ 3,    3, DMTRACE_CONTAINER_DATA, DMTRACE_DIALECT_V3, "v3" },
	{ 0xf1, 1, DMTRACE_CONTAINER_STREAM, (enum dmtrace_dialect)0, "f1" },
	{ 0xf2, 2, DMTRACE_CONTAINER_STREAM, DMTRACE_DIALECT_F2, "f2" },
	{ 0xf3, 3, DMTRACE_CONTAINER_STREAM, DMTRACE_DIALECT_F3, "f3" },
	{ 4,    4, DMTRACE_CONTAINER_PACKETS, DMTRACE_DIALECT_V4, "v4" },
	{ 5,    5, DMTRACE_CONTAINER_PACKETS, DMTRACE_DIALECT_V5, "v5" },
	{ 0xf4, 4, DMTRACE_CONTAINER_PACKETS, DMTRACE_DIALECT_F4, "f4" },
	{ 0xf5, 5, DMTRACE_CONTAINER_PACKETS, DMTRACE_DIALECT_F5, "f5" },
};

enum { VERSIONS = sizeof(version_rows) / sizeof(version_rows[0]) };

const struct dmt_version *
dmt_version_find(unsigned version)
{
	for (size_t i = 0; i < VERSIONS; i++)
		if (version_rows[i].header == version)
			return &version_rows[i];
	return NULL;
}

const struct dmt_version *
dmt_version_of(enum dmtrace_dialect dialect)
{
	for (size_t i = 0; i < VERSIONS; i++)
		if (version_rows[i].dialect == dialect)
			return &version_rows[i];
	return NULL;
}

unsigned
dmt_version_plain(unsigned version)
{
	const struct dmt_version *const row = dmt_version_find(version);

	return row == NULL ? version : row->records;
}

enum dmtrace_container
dmt_version_container(unsigned version)
{
	const struct dmt_version *const row = dmt_version_find(version);

	return row == NULL ? DMTRACE_CONTAINER_DATA : row->container;
}
