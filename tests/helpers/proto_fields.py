# proto_fields.py - the fields of a protocol buffer message, one after another

import struct


def number(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at += 1
        if data[at - 1] < 128:
            return value, at
        shift += 7


def fields(data):
    at = 0
    while at < len(data):
        key, at = number(data, at)
        if key & 7 == 2:
            size, at = number(data, at)
            yield key >> 3, data[at:at + size]
            at += size
        elif key & 7 == 0:
            value, at = number(data, at)
            yield key >> 3, value
        else:
            size = 8 if key & 7 == 1 else 4
            yield key >> 3, struct.unpack_from('<Q' if size == 8 else '<I',
                                               data, at)[0]
            at += size
