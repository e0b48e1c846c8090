/* gzip.c - bytes in the frame of gzip, not compressed */

#include "export/gzip.h"

#include "base/bytes.h"
#include "private/sink.h"

#define STORED_MAX 65535

/* CRC-32, reflected, a byte at a time. */
static void
fill_table(uint32_t table[256])
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t crc = i;

		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
		table[i] = crc;
	}
}

void
dmt_gzip_begin(struct dmt_gzip *gzip, struct dmt_sink *sink)
{
	/* deflate, no name, no time, of no known system */
	static const uint8_t header[10] = {
		0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff
	};

	gzip->sink = sink;
	gzip->crc = UINT32_MAX;
	gzip->len = 0;
	fill_table(gzip->table);
	dmt_sink_write(sink, header, sizeof(header));
}

static void
put_deflate_block(struct dmt_gzip *gzip, const uint8_t *bytes, size_t len,
    uint8_t is_last)
{
	uint8_t head[5] = { is_last };

	dmt_put_le(head + 1, 2, len);
	dmt_put_le(head + 3, 2, ~len & 0xffff);
	dmt_sink_write(gzip->sink, head, sizeof(head));
	dmt_sink_write(gzip->sink, bytes, len);
}

void
dmt_gzip_write(struct dmt_gzip *gzip, const void *bytes, size_t len)
{
	const uint8_t *in = bytes;
	uint32_t crc = gzip->crc;

	for (size_t i = 0; i < len; i++)
		crc = gzip->table[(crc ^ in[i]) & 0xff] ^ crc >> 8;
	gzip->crc = crc;
	gzip->len += (uint32_t)len;
	while (len > 0) {
		const size_t part = len < STORED_MAX ? len : STORED_MAX;

		put_deflate_block(gzip, in, part, 0);
		in += part;
		len -= part;
	}
}

void
dmt_gzip_end(struct dmt_gzip *gzip)
{
	uint8_t tail[8];

	put_deflate_block(gzip, NULL, 0, 1);
	dmt_put_le(tail, 4, ~gzip->crc & UINT32_MAX);
	dmt_put_le(tail + 4, 4, gzip->len);
	dmt_sink_write(gzip->sink, tail, sizeof(tail));
}
