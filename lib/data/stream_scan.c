/* stream_scan.c - resynchronises with a damaged stream */

/*
 * Records are not marked: after a missing byte, everything that follows is
 * misread, and it may take long until a packet of an unknown kind shows it. So
 * each item gets up to 2 points for what is known about it: a record one point
 * if its thread was announced, and one if its method was; a packet 2 points if
 * its text is valid, and one if that has control characters. A record with an
 * announced thread, and a valid packet, are accepted at once. After any other
 * item the next eight are checked. If they have at least one point each on
 * average, only this item is damaged, or belongs to a thread that is not
 * announced, and it is accepted. Otherwise the scan is out of step: all bytes
 * up to the next position with twelve points in eight items, the first of which
 * has both points, are stray.
 *
 * If no threads and no methods are known, nothing can be checked, and all
 * records are accepted. Each byte is looked at a few dozen times at most,
 * whatever the file contains.
 */

#include "data/stream_scan.h"

#include "data/record.h"
#include "key/line_decode.h"
#include "key/line_text.h"

enum {
	CHAIN_ITEMS = 8,
	POINTS_MAX = 2,			/* per item */
	POINTS_IN_STEP = CHAIN_ITEMS,	/* per chain */
	POINTS_SURE = 12,
	RUN_MAX = 4096			/* per call */
};

/* The item that begins at a position. */
struct item {
	enum dmt_scanned is;		/* _RECORDS, _PACKET or _BAD_METHOD;
					   _CUT: the bytes end within it;
					   _STRAY: none of these */
	unsigned points;
	size_t len;
	struct dmt_packet packet;
	uint64_t id;			/* the method that the packet
					   announces */
};

/* The same lines as dmt_define_method takes. */
static bool
is_method_line(struct dmtrace_text text, uint64_t *id)
{
	const struct dmt_line line = { .text = text };
	struct dmtrace_method method;

	if (dmt_text_holds(text, '\n') ||
	    dmt_text_begins(dmt_text_trim(text), "*") ||
	    !dmt_method_decode(&method, &line))
		return false;
	*id = method.id & ~UINT64_C(3);
	return true;
}

/* A name can have control characters, but NUL and LF are hardly ever in one. */
static unsigned
text_points(struct dmtrace_text text)
{
	if (dmt_text_is_plain(text))
		return POINTS_MAX;
	return dmt_text_holds(text, '\0') || dmt_text_holds(text, '\n') ? 0 : 1;
}

static void
judge_packet(struct item *item)
{
	const struct dmt_packet *const packet = &item->packet;
	struct dmtrace_text text = { packet->text, packet->text_len };

	item->is = DMT_SCAN_PACKET;
	switch (packet->kind) {
	case DMT_PACKET_METHOD:
		if (text.len > 0 && text.bytes[text.len - 1] == '\n') {
			text.len--;
			item->points = text_points(text);
		}
		if (!is_method_line(text, &item->id)) {
			item->is = DMT_SCAN_BAD_METHOD;
			item->points = 0;
		}
		break;
	case DMT_PACKET_THREAD:
		item->points = text_points(text);
		break;
	default:			/* the beginning of a summary */
		if (dmt_text_begins(text, "*version"))
			item->points = POINTS_MAX;
		else
			item->is = DMT_SCAN_STRAY;
	}
}

/* The ids that the packets of a chain have announced. */
struct chain {
	uint64_t threads[CHAIN_ITEMS];
	uint64_t methods[CHAIN_ITEMS];
	size_t thread_count;
	size_t method_count;
};

static bool
is_known(const struct dmt_idmap *ids, const uint64_t *more, size_t count,
    uint64_t id)
{
	for (size_t i = 0; i < count; i++)
		if (more[i] == id)
			return true;
	return dmt_idmap_find(ids, id) != NULL;
}

static struct item
look_at(const struct dmt_stream_scan *scan, const struct chain *chain,
    const uint8_t *in, size_t len)
{
	const struct dmt_layout *const layout = &scan->layout;
	struct item item = { .is = DMT_SCAN_CUT, .len = len };

	if (len < DMT_PACKET_MARK)
		return item;
	if (!dmt_packet_begins(in)) {
		if (len < layout->record_size)
			return item;
		const uint64_t thread = dmt_field_get(layout->thread, in);
		const uint64_t word = dmt_field_get(layout->method, in);

		item.is = DMT_SCAN_RECORDS;
		item.len = layout->record_size;
		item.points = is_known(&scan->threads, chain->threads,
		    chain->thread_count, thread);
		item.points += is_known(&scan->methods, chain->methods,
		    chain->method_count, word & ~UINT64_C(3));
		return item;
	}
	switch (dmt_packet_decode(&item.packet, in, len)) {
	case DMTRACE_OK:
		item.len = item.packet.len;
		judge_packet(&item);
		break;
	case DMTRACE_END:
		/* A summary may be longer than the window. */
		if (len > DMT_PACKET_HEAD_MAX &&
		    item.packet.kind == DMT_PACKET_SUMMARY) {
			item.packet.text_len = len - DMT_PACKET_HEAD_MAX;
			judge_packet(&item);
			dmt_packet_decode(&item.packet, in, len);
		}
		break;
	default:
		item.is = DMT_SCAN_STRAY;
	}
	return item;
}

/* Returns true if the items from in on have at least that many points, out of
 * POINTS_MAX for each of the next CHAIN_ITEMS items, or of those before the
 * end. */
static bool
is_chain(const struct dmt_stream_scan *scan, const uint8_t *in, size_t len,
    unsigned points)
{
	struct chain chain = { .thread_count = 0 };
	unsigned items = 0, sum = 0;

	while (items < CHAIN_ITEMS && len > 0) {
		const struct item item = look_at(scan, &chain, in, len);

		if (item.is == DMT_SCAN_STRAY)
			return false;
		if (item.is == DMT_SCAN_CUT)
			break;
		items++;
		sum += item.points;
		if (item.is == DMT_SCAN_PACKET && item.points > 0) {
			if (item.packet.kind == DMT_PACKET_SUMMARY)
				break;
			if (item.packet.kind == DMT_PACKET_THREAD)
				chain.threads[chain.thread_count++] =
				    item.packet.thread;
			else
				chain.methods[chain.method_count++] = item.id;
		}
		in += item.len;
		len -= item.len;
	}
	return items > 0 && sum * CHAIN_ITEMS >= points * items;
}

/* Returns how many bytes precede the next position where a chain begins with
 * an item that has all points, or len without one. */
static size_t
find_chain(const struct dmt_stream_scan *scan, const uint8_t *in, size_t len)
{
	const struct chain none = { .thread_count = 0 };
	const size_t most = len < DMT_SCAN_WINDOW ? len : DMT_SCAN_WINDOW / 2;

	for (size_t at = 1; at < most; at++)
		if (look_at(scan, &none, in + at, len - at).points ==
		    POINTS_MAX &&
		    is_chain(scan, in + at, len - at, POINTS_SURE))
			return at;
	return most;
}

/* Returns how many records of known threads begin at in, one after another. */
static size_t
count_stream_records(const struct dmt_stream_scan *scan, const uint8_t *in,
    size_t len)
{
	const struct dmt_layout *const layout = &scan->layout;
	const size_t size = layout->record_size;
	const bool any =
	    scan->threads.count == 0 && scan->methods.count == 0;
	size_t count = 0;

	for (; count < RUN_MAX && len >= size && !dmt_packet_begins(in) &&
	    (any || dmt_idmap_find(&scan->threads,
	    dmt_field_get(layout->thread, in)) != NULL); count++) {
		in += size;
		len -= size;
	}
	return count;
}

enum dmt_scanned
dmt_stream_scan(struct dmt_stream_scan *scan, const uint8_t *in, size_t len,
    size_t *used)
{
	const size_t count = count_stream_records(scan, in, len);

	*used = count * scan->layout.record_size;
	if (count > 0)
		return DMT_SCAN_RECORDS;

	const struct chain none = { .thread_count = 0 };
	const struct item item = look_at(scan, &none, in, len);
	const size_t rest = len - item.len;
	bool taken = item.points == POINTS_MAX;
	if (!taken && item.is != DMT_SCAN_STRAY && item.is != DMT_SCAN_CUT)
		taken = rest == 0 ? item.points > 0 :
		    is_chain(scan, in + item.len, rest, POINTS_IN_STEP);
	if (taken && item.is == DMT_SCAN_PACKET) {
		if ((item.packet.kind == DMT_PACKET_METHOD &&
		    dmt_idmap_at(&scan->methods, item.id) == NULL) ||
		    (item.packet.kind == DMT_PACKET_THREAD &&
		    dmt_idmap_at(&scan->threads, item.packet.thread) == NULL))
			return DMT_SCAN_FAILED;
		scan->packet = item.packet;
	}
	*used = item.len;
	if (taken)
		return item.is;
	*used = find_chain(scan, in, len);
	return item.is == DMT_SCAN_CUT && *used == len ? DMT_SCAN_CUT :
	    DMT_SCAN_STRAY;
}

/* Returns how many bytes make no sense if records have that size. */
static size_t
count_stray(struct dmt_stream_scan *scan, size_t record_size,
    const uint8_t *in, size_t len)
{
	enum dmt_scanned part;
	size_t used, stray = 0;

	scan->layout.record_size = (uint16_t)record_size;
	do {
		part = len == 0 ? DMT_SCAN_FAILED :
		    dmt_stream_scan(scan, in, len, &used);
		if (part == DMT_SCAN_FAILED || (part == DMT_SCAN_PACKET &&
		    scan->packet.kind == DMT_PACKET_SUMMARY))
			break;
		if (part == DMT_SCAN_STRAY || part == DMT_SCAN_CUT)
			stray += used;
		in += used;
		len -= used;
	} while (true);
	return stray;
}

void
dmt_scan_find_size(struct dmt_stream_scan *scan, size_t stated,
    const uint8_t *in, size_t len)
{
	const size_t own = scan->layout.record_size;
	const size_t believed = stated < own ? own : stated;

	size_t size = dmt_stream_record_size(in, len, believed,
	    scan->layout.version);

	/* A reader, which does not know stray bytes, reads records of this
	 * size. It is right, unless there are stray bytes between records of
	 * the other size, which are dropped. */
	const size_t stray =
	    size == believed ? 0 : count_stray(scan, believed, in, len);
	if (stray > 0 && stray <= count_stray(scan, size, in, len))
		size = believed;
	scan->layout.record_size = (uint16_t)size;
}

void
dmt_stream_scan_fini(struct dmt_stream_scan *scan)
{
	dmt_idmap_fini(&scan->threads);
	dmt_idmap_fini(&scan->methods);
}

bool
dmt_stream_begins(const struct dmt_stream_scan *scan, const uint8_t *in,
    size_t len)
{
	return is_chain(scan, in, len, POINTS_SURE);
}
