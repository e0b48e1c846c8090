# count_slices.py - counts the slices of Perfetto in a file, without dmtrace
#
# Prints how many slices begin; then, for each track with slices, how many, the
# most first; then the twenty names, of letters, digits and "_:.", that begin
# most often. Events whose state or name is not defined are left out.

import collections
import re
import sys

from proto_fields import fields


class Sequence:
    def __init__(self):
        self.begun = False
        self.track = None
        self.names = {}


sequences = collections.defaultdict(Sequence)
tracks = collections.Counter()
names = collections.Counter()
for _, data in fields(open(sys.argv[1], 'rb').read()):
    packet = list(fields(data))
    flags = dict(packet)
    sequence = sequences[flags.get(10, 0)]
    if flags.get(13, 0) & 1 or flags.get(41):
        sequence.__init__()
        sequence.begun = True
    elif flags.get(13, 0) & 2 and not sequence.begun:
        continue
    for field, value in packet:
        if field == 59:
            for _, event in (item for item in fields(value) if item[0] == 11):
                sequence.track = dict(fields(event)).get(11, sequence.track)
        elif field == 12:
            for _, entry in (item for item in fields(value) if item[0] == 2):
                entry = dict(fields(entry))
                sequence.names[entry.get(1, 0)] = entry.get(2, b'')
    if 11 not in flags:
        continue
    event = dict(fields(flags[11]))
    if event.get(9, 0) != 1:
        continue
    name = event.get(23)
    if name is None:
        name = sequence.names.get(event[10]) if 10 in event else b'(none)'
    if name is None:
        continue
    tracks[event.get(11, sequence.track)] += 1
    names[name.decode('utf-8', 'replace')] += 1

print(sum(tracks.values()), 'begin')
for count in sorted(tracks.values(), reverse=True):
    print(count, 'in a track')
plain = [item for item in names.items() if re.fullmatch('[A-Za-z0-9_:.]+',
                                                        item[0])]
for name, count in sorted(plain, key=lambda item: (-item[1], item[0]))[:20]:
    print(count, name)
