"""test_login.py - a test with pytest: what a program does, as a trace

The program (here a few lines of Python) writes a trace; "dmtrace expect" checks
its calls, and "dmtrace diff --trees" compares them with a trace that was
reviewed and committed as text.
"""

import subprocess

import dmtrace
import pytest

# Written by "dmtrace dump --text", and reviewed.
GOLDEN = r"""dmtrace text 1
key 3
clock=dual
thread 1 main
method 0x4 "app/Login\trun\t"
method 0x8 "net/Session\topen\t"
header v3 start=0us
0us 1 Login.run
10us 1  Session.open
30us 1  Session.open
40us 1 Login.run
"""


@pytest.fixture
def trace(tmp_path):
    """What is tested: it opens one session."""
    path = tmp_path / "login.trace"
    with dmtrace.Writer(path) as out:
        main = out.thread("main")
        run = out.method("app/Login", "run")
        session = out.method("net/Session", "open")
        out.enter(main, run, 0)
        out.enter(main, session, 10_000)
        out.exit(main, session, 30_000)
        out.exit(main, run, 40_000)
    return path


def dmtrace_command(*arguments):
    done = subprocess.run(["dmtrace", *map(str, arguments)],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_opens_one_session(trace, tmp_path):
    spec = tmp_path / "login.spec"
    spec.write_text("calls(net.Session.open) == 1\n"
                    "inclusive(app.Login.run) < 1ms\n")
    dmtrace_command("expect", spec, trace)


def test_calls_are_those_of_the_golden_trace(trace, tmp_path):
    golden = tmp_path / "golden.dmt"
    golden.write_text(GOLDEN)
    dmtrace_command("diff", "--trees", golden, trace)


def test_events(trace):
    events = [(e.action, e.name, e.time_ns) for e in dmtrace.read(trace)]
    assert events[1] == ("enter", "net.Session.open", 10_000)
    assert len(events) == 4


def test_profile(trace):
    rows = {row.name: row for row in dmtrace.profile(trace)}
    assert rows["app.Login.run"].inclusive_ns == 40_000
    assert rows["app.Login.run"].exclusive_ns == 20_000


def test_refuses_an_impossible_event(tmp_path):
    with pytest.raises(dmtrace.Error, match="at 5000 ns, last event at 9000 ns"):
        with dmtrace.Writer(tmp_path / "bad.trace") as out:
            main, run = out.thread("main"), out.method("A", "run")
            out.enter(main, run, 9000)
            out.exit(main, run, 5000)
    assert not (tmp_path / "bad.trace").exists()
