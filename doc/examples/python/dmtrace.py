"""dmtrace.py - read, write and profile Android method traces from Python

Needs nothing but libdmtrace, by ctypes. DMTRACE_LIBRARY can name the library.

    for event in dmtrace.read("app.trace"):
        print(event.time_ns, event.thread_name, event.action, event.name)

    with dmtrace.Writer("out.trace") as trace:
        main, run = trace.thread("main"), trace.method("app.Login", "run")
        trace.enter(main, run, 1000)
        trace.exit(main, run, 250000)

    for row in dmtrace.profile("app.trace")[:10]:
        print(row.calls, row.exclusive_ns, row.name)
"""

import contextlib
import ctypes
import os
from collections import namedtuple
from ctypes import (byref, c_char, c_char_p, c_int, c_int32, c_int64, c_size_t,
                    c_uint32, c_uint64)

NO_TIME = 2**64 - 1
CPU, WALL = 0, 1


class Error(Exception):
    """What the library has refused; the message says why."""


# The public structs (dmtrace/status.h, event.h, key.h, profile.h).

class _Error(ctypes.Structure):
    _fields_ = [("status", c_int), ("place", c_int), ("at", c_uint64),
                ("sys_errno", c_int), ("message", c_char * 256)]


class _Event(ctypes.Structure):
    _fields_ = [("method", c_uint64), ("cpu_ns", c_uint64),
                ("wall_ns", c_uint64), ("thread", c_uint32),
                ("action", c_int)]


class _Text(ctypes.Structure):
    _fields_ = [("bytes", ctypes.POINTER(c_char)), ("len", c_size_t)]

    def __str__(self):
        return self.bytes[:self.len].decode(errors="replace")


class _Method(ctypes.Structure):
    _fields_ = [("class_name", _Text), ("name", _Text), ("signature", _Text),
                ("file", _Text), ("line", c_int32), ("id", c_uint64),
                ("listed", c_int), ("calls", c_uint64),
                ("recursive_calls", c_uint64), ("inclusive_ns", c_int64 * 2),
                ("exclusive_ns", c_int64 * 2), ("outer_ns", c_int64 * 2),
                ("inclusive_partial", c_int), ("exclusive_partial", c_int)]


class _Object(ctypes.c_void_p):
    """A reader, writer, source or profile."""


class _Library(ctypes.CDLL):
    def __getattr__(self, name):
        return self["dmtrace_" + name]


_lib = _Library(os.environ.get("DMTRACE_LIBRARY", "libdmtrace.so.0"))
for _result, _names in (
        (_Object, "reader_new writer_new source_new profile_new"),
        (ctypes.POINTER(_Error), "reader_error writer_error profile_error"),
        (c_char_p, "reader_thread_name reader_method_name action_name"),
        (c_size_t, "profile_method_count")):  # others: a status or nothing
    for _name in _names.split():
        setattr(_lib, _name, getattr(_lib, _name))
        getattr(_lib, _name).restype = _result

Event = namedtuple("Event", "thread thread_name action name time_ns cpu_ns")
Row = namedtuple("Row", "name signature calls inclusive_ns exclusive_ns")


@contextlib.contextmanager
def _object(kind, *arguments):
    made = getattr(_lib, kind + "_new")(*arguments)
    try:
        yield made
    finally:
        getattr(_lib, kind + "_free")(made)


def _check(error):
    if error.contents.status != 0:
        raise Error(error.contents.message.decode(errors="replace"))


def read(path):
    """Yields the events of a trace, in the order of the file.

    time_ns is wall time, or CPU time where the trace has no other; cpu_ns is
    None without that clock.
    """
    event = _Event()
    with _object("reader") as reader:
        _lib.reader_open_path(reader, os.fsencode(path))
        while _lib.reader_next(reader, byref(event)) == 0:
            thread = _lib.reader_thread_name(reader, event.thread)
            method = _lib.reader_method_name(reader, c_uint64(event.method))
            action = _lib.action_name(event.action)
            cpu = None if event.cpu_ns == NO_TIME else event.cpu_ns
            time = cpu if event.wall_ns == NO_TIME else event.wall_ns
            yield Event(event.thread, thread.decode(), action.decode(),
                        method.decode(), time, cpu)
        _check(_lib.reader_error(reader))


def profile(path, clock=WALL):
    """The methods of a trace as rows, most exclusive time first."""
    method, rows = _Method(), []
    with _object("reader") as reader, _object("profile", None) as profile:
        _lib.reader_open_path(reader, os.fsencode(path))
        _check(_lib.reader_error(reader))
        with _object("source", reader) as source:
            _lib.profile_add(profile, source)
        _check(_lib.profile_error(profile))
        _check(_lib.reader_error(reader))
        for index in range(1, _lib.profile_method_count(profile)):
            _lib.profile_method_get(profile, c_size_t(0), c_size_t(index),
                                    byref(method))
            name = str(method.class_name).replace("/", "."), str(method.name)
            rows.append(Row(".".join(filter(None, name)),
                            str(method.signature),
                            method.calls + method.recursive_calls,
                            method.inclusive_ns[clock],
                            method.exclusive_ns[clock]))
    return sorted(rows, key=lambda row: -row.exclusive_ns)


class Writer:
    """Writes a trace of version 3 with both clocks; impossible events raise.

    The file gets its name when the block ends; not if it ends by an exception.
    """

    def __init__(self, path, strict=True):
        self._writer, self._threads, self._methods = _lib.writer_new(), 0, 0
        _lib.writer_set_strict(self._writer, strict)
        _lib.writer_open_path(self._writer, os.fsencode(path))
        _check(_lib.writer_error(self._writer))

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        try:
            if kind is None and _lib.writer_close(self._writer) != 0:
                _check(_lib.writer_error(self._writer))
        finally:
            _lib.writer_free(self._writer)

    def thread(self, name):
        self._threads += 1
        _lib.writer_add_thread(self._writer, self._threads, name.encode())
        return self._threads

    def method(self, class_name, name):
        self._methods += 4
        _lib.writer_add_method(self._writer, c_uint64(self._methods),
                               class_name.encode(), name.encode())
        return self._methods

    def event(self, thread, method, action, time_ns, cpu_ns=None):
        event = _Event(method, time_ns if cpu_ns is None else cpu_ns, time_ns,
                       thread, action)
        if _lib.writer_write(self._writer, byref(event), c_size_t(1)) != 0:
            _check(_lib.writer_error(self._writer))

    def enter(self, thread, method, time_ns, cpu_ns=None):
        self.event(thread, method, 0, time_ns, cpu_ns)

    def exit(self, thread, method, time_ns, cpu_ns=None):
        self.event(thread, method, 1, time_ns, cpu_ns)
