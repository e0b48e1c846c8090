# count_samples.py - counts the samples of simpleperf in a file, without dmtrace
#
# Prints the number of threads with samples, of samples, and ten functions with
# the most time between their samples as innermost frame and the next sample of
# the thread, in microseconds. The last sample of a thread lasts as long as the
# median of the gaps between its samples; an only one, as the median of counts.

import collections
import struct
import sys

from proto_fields import fields

files = {}
samples = collections.defaultdict(list)
counts = []
data = open(sys.argv[1], 'rb').read()
at = 12
while True:
    size, = struct.unpack_from('<I', data, at)
    if size == 0:
        break
    for kind, message in fields(data[at + 4:at + 4 + size]):
        if kind == 3:
            found = list(fields(message))
            files[dict(found).get(1, 0)] = (
                dict(found)[2].decode().split('/')[-1],
                [text.decode() for key, text in found if key == 3])
        elif kind == 1:
            found = list(fields(message))
            entry = dict(fields(next(v for key, v in found if key == 3)))
            if dict(found).get(5, 0) == 0:
                counts.append(dict(found)[4])
            samples[dict(found)[2]].append((dict(found)[1], entry))
    at += 4 + size

times = collections.Counter()
counts.sort()
for thread in samples.values():
    gaps = sorted(b[0] - a[0] for a, b in zip(thread, thread[1:]))
    ends = [time for time, entry in thread[1:]]
    ends.append(thread[-1][0] + (gaps[len(gaps) // 2] if gaps else
                                 counts[len(counts) // 2]))
    for (time, entry), end in zip(thread, ends):
        name, symbols = files[entry.get(2, 0)]
        symbol = entry.get(3, 0)
        function = symbols[symbol] if symbol < len(symbols) else \
            '%s[+%x]' % (name, entry.get(1, 0))
        times[function] += end // 1000 - time // 1000

print(len(samples), 'threads')
print(sum(map(len, samples.values())), 'samples')
for function, time in sorted(times.items(), key=lambda x: (-x[1], x[0]))[:10]:
    print(time, function)
