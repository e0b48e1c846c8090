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

import ctypes
import os
from collections import namedtuple
from ctypes import (POINTER, Structure, byref, c_char_p, c_int, c_int32,
                    c_int64, c_size_t, c_uint32, c_uint64, c_void_p)

NO_TIME = 2**64 - 1
CPU, WALL = 0, 1

_lib = ctypes.CDLL(os.environ.get("DMTRACE_LIBRARY", "libdmtrace.so.0"))


class Error(Exception):
    """What the library has refused; the message says why."""


# The public structs (dmtrace/status.h, event.h, key.h, profile.h).

class _Error(Structure):
    _fields_ = [("status", c_int), ("place", c_int), ("at", c_uint64),
                ("sys_errno", c_int), ("message", ctypes.c_char * 256)]


class _Event(Structure):
    _fields_ = [("method", c_uint64), ("cpu_ns", c_uint64),
                ("wall_ns", c_uint64), ("thread", c_uint32),
                ("action", c_int)]


class _Text(Structure):
    _fields_ = [("bytes", POINTER(ctypes.c_char)), ("len", c_size_t)]

    def __str__(self):
        return self.bytes[:self.len].decode(errors="replace")


class _Method(Structure):
    _fields_ = [("class_name", _Text), ("name", _Text), ("signature", _Text),
                ("file", _Text), ("line", c_int32), ("id", c_uint64),
                ("listed", c_int), ("calls", c_uint64),
                ("recursive_calls", c_uint64), ("inclusive_ns", c_int64 * 2),
                ("exclusive_ns", c_int64 * 2), ("outer_ns", c_int64 * 2),
                ("inclusive_partial", c_int), ("exclusive_partial", c_int)]


def _function(name, result, *arguments):
    function = getattr(_lib, "dmtrace_" + name)
    function.restype, function.argtypes = result, arguments
    return function


for _name, _result, *_arguments in (
        ("reader_new", c_void_p), ("reader_free", None, c_void_p),
        ("reader_open_path", c_int, c_void_p, c_char_p),
        ("reader_next", c_int, c_void_p, POINTER(_Event)),
        ("reader_error", POINTER(_Error), c_void_p),
        ("reader_thread_name", c_char_p, c_void_p, c_uint32),
        ("reader_method_name", c_char_p, c_void_p, c_uint64),
        ("writer_new", c_void_p), ("writer_free", None, c_void_p),
        ("writer_open_path", c_int, c_void_p, c_char_p),
        ("writer_set_strict", c_int, c_void_p, c_int),
        ("writer_add_thread", c_int, c_void_p, c_uint32, c_char_p),
        ("writer_add_method", c_int, c_void_p, c_uint64, c_char_p, c_char_p),
        ("writer_write", c_int, c_void_p, POINTER(_Event), c_size_t),
        ("writer_close", c_int, c_void_p),
        ("writer_error", POINTER(_Error), c_void_p),
        ("source_new", c_void_p, c_void_p), ("source_free", None, c_void_p),
        ("profile_new", c_void_p, c_void_p), ("profile_free", None, c_void_p),
        ("profile_add", c_int, c_void_p, c_void_p),
        ("profile_error", POINTER(_Error), c_void_p),
        ("profile_method_count", c_size_t, c_void_p),
        ("profile_method_get", None, c_void_p, c_size_t, c_size_t,
         POINTER(_Method)),
        ("action_name", c_char_p, c_int)):
    globals()["_" + _name] = _function(_name, _result, *_arguments)

Event = namedtuple("Event", "thread thread_name action name time_ns cpu_ns")
Row = namedtuple("Row", "name signature calls inclusive_ns exclusive_ns")


def _check(error):
    if error.contents.status != 0:
        raise Error(error.contents.message.decode(errors="replace"))


def read(path):
    """Yields the events of a trace, in the order of the file.

    time_ns is wall time, or CPU time where the trace has no other; cpu_ns is
    None without that clock.
    """
    reader = _reader_new()
    try:
        event = _Event()
        _reader_open_path(reader, os.fsencode(path))
        while _reader_next(reader, byref(event)) == 0:
            cpu = None if event.cpu_ns == NO_TIME else event.cpu_ns
            yield Event(
                event.thread,
                _reader_thread_name(reader, event.thread).decode(),
                _action_name(event.action).decode(),
                _reader_method_name(reader, event.method).decode(),
                cpu if event.wall_ns == NO_TIME else event.wall_ns, cpu)
        _check(_reader_error(reader))
    finally:
        _reader_free(reader)


def profile(path, clock=WALL):
    """The methods of a trace as rows, most exclusive time first."""
    reader, profile = _reader_new(), _profile_new(None)
    source = None
    try:
        _reader_open_path(reader, os.fsencode(path))
        _check(_reader_error(reader))
        source = _source_new(reader)
        if _profile_add(profile, source) != 0:
            _check(_profile_error(profile))
            _check(_reader_error(reader))
        method, rows = _Method(), []
        for index in range(1, _profile_method_count(profile)):
            _profile_method_get(profile, 0, index, byref(method))
            name = [str(method.class_name).replace("/", "."),
                    str(method.name)]
            rows.append(Row(".".join(filter(None, name)),
                            str(method.signature),
                            method.calls + method.recursive_calls,
                            method.inclusive_ns[clock],
                            method.exclusive_ns[clock]))
        return sorted(rows, key=lambda row: -row.exclusive_ns)
    finally:
        _source_free(source)
        _profile_free(profile)
        _reader_free(reader)


class Writer:
    """Writes a trace of version 3 with both clocks; impossible events raise.

    The file gets its name when the block ends; not if it ends by an exception.
    """

    def __init__(self, path, strict=True):
        self._writer, self._threads, self._methods = _writer_new(), 0, 0
        _writer_set_strict(self._writer, strict)
        _writer_open_path(self._writer, os.fsencode(path))
        _check(_writer_error(self._writer))

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        try:
            if kind is None and _writer_close(self._writer) != 0:
                _check(_writer_error(self._writer))
        finally:
            _writer_free(self._writer)

    def thread(self, name):
        self._threads += 1
        _writer_add_thread(self._writer, self._threads, name.encode())
        return self._threads

    def method(self, class_name, name):
        self._methods += 4
        _writer_add_method(self._writer, self._methods, class_name.encode(),
                           name.encode())
        return self._methods

    def event(self, thread, method, action, time_ns, cpu_ns=None):
        cpu_ns = time_ns if cpu_ns is None else cpu_ns
        event = _Event(method, cpu_ns, time_ns, thread, action)
        if _writer_write(self._writer, byref(event), 1) != 0:
            _check(_writer_error(self._writer))

    def enter(self, thread, method, time_ns, cpu_ns=None):
        self.event(thread, method, 0, time_ns, cpu_ns)

    def exit(self, thread, method, time_ns, cpu_ns=None):
        self.event(thread, method, 1, time_ns, cpu_ns)
