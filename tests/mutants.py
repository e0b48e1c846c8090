#!/usr/bin/env python3
# mutants.py - small faults made in lib/, and whether a test notices each
#
# A mutant is one change of one line: another comparison, one more or less, a
# constant, a negated condition, swapped arguments, a statement less. It is
# killed if a test fails, crashes or takes ten times as long, by the clock of the
# CPU, so that other work on the computer kills none; one that survives shows
# what no test claims, or changes nothing that can be seen.
#
# Works in the folder mutants/ of the build. In 1/ is a copy of the sources, in
# which the mutants are made, and a plain build of it, and so in 2/, 3/ ... for
# as many processes (--jobs), each of which takes layer by layer; gcov/ is a
# build for gcov, in which each test ran once, so that it is known which tests
# run a line. Only the file that was changed is compiled, and a mutant for which
# the compiler makes the same code is drawn again. The tests that run the line
# are run, the quickest first. What runs until a signal, exec or _exit leaves
# nothing for gcov: if no test is known to run the line, or with --all, the
# others are run, too.
#
# The numbers drawn depend on the seed and the layer alone; without --seed it is
# the first digits of the commit. The log has a line per mutant; a mutant that
# has one is not tried again, so a run can be stopped at any time, and repeated
# with the same seed. Needs git, gcc and Python 3.

import argparse
import glob
import multiprocessing
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

SRC = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = os.path.abspath('mutants')
COPY, PLAIN = WORK + '/1/src', WORK + '/1/plain'    # of this process
COV, LOG = WORK + '/gcov', WORK + '/log.tsv'

COMPARED = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=',
            '!=': '==', '&&': '||', '||': '&&'}
STATEMENT = re.compile(r'^(\t+)(?!return|break|continue|goto|case|default)'
                       r'[a-z_>.\[\]*+-]+( [-+|&^]?= |\(|\+\+|--).*;$')
SIMPLE = r'[\w.>&*\[\]-]+'


def run(command, folder, **more):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True,
                          **more)


def must(command, folder):
    done = run(command, folder)
    if done.returncode != 0:
        sys.exit(f'mutants: {command}: {(done.stdout + done.stderr)[-2000:]}')
    return done.stdout


# Mutants of a text

def blank_comments(text):
    """The same text with blanks for comments, strings and directives."""
    kept = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'
                      r"'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*",
                      re.S | re.M)
    return kept.sub(lambda found: re.sub(r'[^\n]', ' ', found[0]), text)


def changes_of(line, text):
    """What can be changed in a line, which has blanks for comments and
    strings: (kind, begin, end, instead)."""
    if line.strip().startswith(('enum', 'static const', 'struct')):
        return
    for found in re.finditer(r'(?<= )(<=|>=|==|!=|<|>|&&|\|\|)(?= )', line):
        yield 'comparison', *found.span(), COMPARED[found[0]]
    for found in re.finditer(r' ([-+]) (?=[\w(*&])', line):
        yield 'sign', *found.span(1), '+' if found[1] == '-' else '-'
    for found in re.finditer(r' [-+] 1\b(?!\w)', line):
        yield 'off by one', *found.span(), ''
    for found in re.finditer(r'(?<![\w.])(0x[0-9a-f]+|\d+)(?=[UL]*\b)', line):
        value = int(found[0], 0) if found[0][:1] != '0' or \
            found[0][:2] == '0x' else int(found[0], 8)
        yield 'constant', *found.span(), str(value + 1)
        if value > 0:
            yield 'constant', *found.span(), str(value - 1)
    for found in re.finditer(r'\b(true|false)\b', line):
        yield 'constant', *found.span(), \
            'false' if found[0] == 'true' else 'true'
    found = re.match(r'^\t+(?:\} else )?(?:if|while) \((.*)\)(?: \{)?$', line)
    if found and found[1].count('(') == found[1].count(')'):
        yield 'negation', *found.span(1), \
            f'!({text[found.start(1):found.end(1)]})'
    for found in re.finditer(rf'\w\(({SIMPLE}), ({SIMPLE})(?=[,)])', line):
        if found[1] != found[2]:
            yield 'arguments', found.start(1), found.end(2), \
                f'{found[2]}, {found[1]}'
    found = STATEMENT.match(line)
    if found and line.count('(') == line.count(')'):
        yield 'statement', found.end(1), len(line), ';'


def mutants_of(path, lines_wanted):
    with open(f'{COPY}/{path}', encoding='utf-8') as file:
        text = file.read()
    lines = zip(blank_comments(text).split('\n'), text.split('\n'))
    for number, (line, whole) in enumerate(lines, 1):
        if lines_wanted is None or number in lines_wanted:
            for kind, begin, end, to in changes_of(line, whole):
                yield path, number, kind, begin, end, to


def changed_lines(commit):
    """Files of lib/ and their lines that differ from a commit."""
    changed, path = {}, None
    for line in must(['git', 'diff', '-U0', commit, '--', 'lib'],
                     SRC).split('\n'):
        if line.startswith('+++ '):
            path = line[6:]
        found = re.match(r'@@ .*\+(\d+)(?:,(\d+))? @@', line)
        if found:
            first, count = int(found[1]), int(found[2] or 1)
            changed.setdefault(path, set()).update(
                range(first, first + count))
    return changed


# Builds and tests

def update_copy():
    """Copies the sources, and leaves alone what is there already. Returns the
    paths of what was copied."""
    copied = [path for path in must(
        ['git', 'ls-files', '-co', '--exclude-standard'], SRC).split('\n')
        if path and os.path.isfile(f'{SRC}/{path}') and copy(path)]
    if not os.path.exists(f'{COPY}/configure'):
        os.makedirs(f'{COPY}/m4', exist_ok=True)
        must(['autoreconf', '-fi'], COPY)
    return copied


def use_folder(number):
    """The copy and the build that this process works in."""
    global COPY, PLAIN
    COPY, PLAIN = f'{WORK}/{number}/src', f'{WORK}/{number}/plain'


def copy(path):
    """Returns whether the copy was another one."""
    with open(f'{SRC}/{path}', 'rb') as file:
        wanted = file.read()
    if os.path.exists(f'{COPY}/{path}'):
        with open(f'{COPY}/{path}', 'rb') as file:
            if file.read() == wanted:
                return False
    os.makedirs(os.path.dirname(f'{COPY}/{path}'), exist_ok=True)
    shutil.copy(f'{SRC}/{path}', f'{COPY}/{path}')
    return True


def build(folder, flags):
    os.makedirs(folder, exist_ok=True)
    if not os.path.exists(f'{folder}/Makefile'):
        # a relative name, so that copy and build can be copied together
        must([os.path.relpath(f'{COPY}/configure', folder), '-q',
              '--disable-shared', 'CC=gcc', f'CFLAGS={flags}'], folder)
    must(['make', '-s', f'-j{os.cpu_count()}', 'check-programs'], folder)


def add_folder(number):
    """Another copy and build, which are up to date."""
    if not os.path.exists(f'{WORK}/{number}'):
        must(['cp', '-a', f'{WORK}/1', f'{WORK}/{number}.new'], WORK)
        os.rename(f'{WORK}/{number}.new', f'{WORK}/{number}')
    use_folder(number)
    update_copy()
    build(PLAIN, '-O0')


def all_tests(programs):
    """Names without suffix of programs, and, unless these are all, with it of
    scripts."""
    names = glob.glob(f'{SRC}/tests/*/test_*.c')
    scripts = [] if programs else glob.glob(f'{SRC}/tests/*/cl[i]_*.sh') + \
        glob.glob(f'{SRC}/tests/checks/check_*.sh')
    return [os.path.relpath(name.removesuffix('.c'), SRC)
            for name in sorted(names) + sorted(scripts)]


def is_busy(session):
    """Whether a process of that session runs, or waits for a CPU or a disk."""
    states = run(['ps', '-o', 'stat=', '-s', str(session)], WORK).stdout
    return re.search('^[RD]', states, re.M) is not None


def run_test(name, folder, limit, **more):
    """Whether it passed; its seconds of CPU. A process of it may take as many
    as the limit. One in which all wait for something else is ended after 20
    times as long, and a minute; while the computer is stopped, none passes."""
    place = f'{folder}/run/{name}'
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    env = dict(os.environ, srcdir=COPY, builddir=folder, CC='gcc', NM='nm',
               SANITIZED='yes', CK_FORK='no', CK_TAP_LOG_FILE_NAME='-',
               CK_VERBOSITY='silent', PATH=f'{folder}/tools:' +
               os.environ['PATH'], **more)
    command = ['sh', f'{COPY}/{name}'] if name.endswith('.sh') else \
        [f'{folder}/{name}']
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    limit = int(limit)
    with open(f'{place}.log', 'wb') as out:
        process = subprocess.Popen(
            command, cwd=place, env=env, stdout=out, stderr=out,
            stdin=subprocess.DEVNULL, start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY)))
        status, idle = -1, 0
        while idle < 60 + 20 * limit:
            try:
                status = process.wait(1)
                break
            except subprocess.TimeoutExpired:
                idle += not is_busy(process.pid)
        try:        # of this test alone: it has a session of its own
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
    with open(f'{place}.log', 'rb') as out:
        failed = re.search(rb'^not ok', out.read(), re.M)
    run(['chmod', '-R', 'u+rwx', place], WORK)
    shutil.rmtree(place, ignore_errors=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return status == 0 and not failed, after.ru_utime + after.ru_stime - \
        before.ru_utime - before.ru_stime


def measure(programs):
    """The seconds of each test that passes; runs it once for gcov, too, unless
    it is known already."""
    seconds = {}
    path = WORK + '/tests.tsv'
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            seconds = {name: float(took) for name, took in
                       (line.split('\t') for line in file)}
    strip = str(COV.count('/'))
    for name in all_tests(programs):
        if name in seconds:
            continue
        passed, took = run_test(name, PLAIN, 600)
        if passed and '/checks/' not in name:
            run_test(name, COV, 1200, GCOV_PREFIX_STRIP=strip,
                     GCOV_PREFIX=f'{WORK}/data/{name}')
        if not passed:
            print(f'mutants: {name} fails without any, and is left out')
        seconds[name] = took if passed else -1
        with open(path, 'a', encoding='utf-8') as file:
            file.write(f'{name}\t{seconds[name]:.2f}\n')
    return {name: seconds[name] for name in all_tests(programs)
            if seconds.get(name, -1) >= 0}


def tests_of_lines(path, seconds, known={}):
    """Which tests run a line of that file: a dict by line. Lines that gcov does
    not count, as those of tables and the rest of a statement, are run by the
    tests that run anything in the file, or if it is a table alone, by those
    that are linked with it."""
    if path not in known:
        known[path], uncounted, linked, runs = {}, set(), [], []
        base = path.removesuffix('.c')
        for name in seconds:
            data = f'{WORK}/data/{name}/{base}'
            if not os.path.exists(data + '.gcda'):
                continue
            linked.append(name)
            if not os.path.lexists(data + '.gcno'):
                os.symlink(f'{COV}/{base}.gcno', data + '.gcno')
            # it prints headers, too
            text = run(['gcov', '-t', data + '.gcda'], COV).stdout
            for part in text.split(':Source:'):
                if not part.split('\n', 1)[0].endswith(path):
                    continue
                uncounted.update(map(int, re.findall(r'^ *-: *(\d+):', part,
                                                     re.M)))
                lines = [int(found[2]) for found in re.finditer(
                    r'^ *(\d+)\*?: *(\d+):', part, re.M)]
                for line in lines:
                    known[path].setdefault(line, []).append(name)
                if lines:
                    runs.append(name)
        for line in uncounted.difference(known[path]):
            known[path][line] = runs or linked
    return known[path]


def kill(path, number, seconds, arguments):
    """How the mutant that is in place ends: (verdict, test)."""
    covering = sorted(tests_of_lines(path, seconds).get(number, []),
                      key=seconds.get)
    others = [name for name in sorted(seconds, key=seconds.get) if name not in
              covering] if arguments.all or not covering else []
    for name in covering + others:
        target = 'all' if name.endswith('.sh') else name
        if run(['make', '-s', target], PLAIN).returncode != 0:
            return 'unbuilt', target
        if not run_test(name, PLAIN, 5 + 10 * seconds[name])[0]:
            return 'killed', name
    return ('survived' if covering else 'not run'), \
        f'{len(covering) + len(others)} tests'


def code_of(path):
    """What the compiler makes of the file, or None."""
    made = f'{PLAIN}/code.o'
    done = run(['gcc', '-std=c11', '-O2', '-w', '-D_XOPEN_SOURCE=700',
                '-Werror=incompatible-pointer-types',
                '-Werror=int-conversion',
                f'-I{COPY}/lib/include', f'-I{COPY}/lib', '-c', '-o', made,
                f'{COPY}/{path}'], WORK)
    if done.returncode != 0:
        return None
    with open(made, 'rb') as file:
        return file.read()


def try_mutant(mutant, seconds, arguments):
    """Makes it, and undoes it. Returns its verdict, test, and both lines."""
    path, number, _, begin, end, to = mutant
    before = code_of(path)
    with open(f'{COPY}/{path}', encoding='utf-8') as file:
        text = file.read()
    lines = text.split('\n')
    line = lines[number - 1]
    lines[number - 1] = line[:begin] + to + line[end:]
    with open(f'{COPY}/{path}', 'w', encoding='utf-8') as file:
        file.write('\n'.join(lines))
    after = code_of(path)
    try:
        if after is None:
            verdict = 'unbuilt', '-'
        elif after == before:
            verdict = 'same code', '-'
        else:
            verdict = kill(path, number, seconds, arguments)
    finally:
        with open(f'{COPY}/{path}', 'w', encoding='utf-8') as file:
            file.write(text)
    return *verdict, line.strip(), lines[number - 1].strip()


def print_log():
    """Counts by layer, and those that no test noticed."""
    counts, alive = {}, []
    with open(LOG, encoding='utf-8') as file:
        for line in file:
            row = line.rstrip('\n').split('\t')
            layer, verdict = row[1], row[6]
            if verdict in ('killed', 'survived', 'not run'):
                counts.setdefault(layer, []).append(verdict)
            if verdict in ('survived', 'not run'):
                alive.append(row)
    print(f'{"layer":12} {"mutants":>7} {"killed":>6} {"alive":>5}')
    for layer, verdicts in sorted(counts.items()):
        killed = verdicts.count('killed')
        print(f'{layer:12} {len(verdicts):7} {killed:6} '
              f'{len(verdicts) - killed:5}')
    for row in alive:
        print(f'\n{row[3]}:{row[4]}: {row[5]}, {row[6]} ({row[7]})\n'
              f'-\t{row[9]}\n+\t{row[10]}')


def known_verdicts():
    """What the log has: a verdict by seed, layer and index."""
    tried = {}
    if os.path.exists(LOG):
        with open(LOG, encoding='utf-8') as file:
            for line in file:
                row = line.split('\t')
                tried[tuple(row[:3])] = row[6]
    return tried


def try_layer(layer, seconds, changed, end, arguments):
    """Mutants of a layer, until as many as are asked for were judged."""
    tried = known_verdicts()
    paths = [os.path.relpath(path, COPY) for path in sorted(glob.glob(
        f'{COPY}/lib/{layer}/**/*.c', recursive=True))]
    mutants = [mutant for path in paths if changed is None or path in changed
               for mutant in mutants_of(path, changed and changed[path])]
    random.Random(f'{arguments.seed} {layer}').shuffle(mutants)
    count = 0
    for index, mutant in enumerate(mutants):
        if count >= arguments.number or time.monotonic() > end:
            break
        key = (arguments.seed, layer, str(index))
        if key not in tried:
            began = time.monotonic()
            verdict, test, before, after = try_mutant(mutant, seconds,
                                                      arguments)
            tried[key] = verdict
            row = [*key, mutant[0], str(mutant[1]), mutant[2], verdict,
                   test, f'{time.monotonic() - began:.1f}', before, after]
            with open(LOG, 'a', encoding='utf-8') as file:
                file.write('\t'.join(row) + '\n')
            print(*row[3:9], sep='\t', flush=True)
        count += tried[key] in ('killed', 'survived', 'not run')


def work(number, layers, *rest):
    """A process: takes the next layer until there is none."""
    use_folder(number)
    while (layer := layers.get()) is not None:
        try_layer(layer, *rest)


def main():
    parser = argparse.ArgumentParser(description='mutation tests of lib/')
    parser.add_argument('-s', '--seed',
                        help='the first digits of the commit, if not given')
    parser.add_argument('-n', '--number', type=int, default=10,
                        help='mutants of each layer')
    parser.add_argument('-j', '--jobs', type=int, default=1,
                        help='how many processes, each with its own build')
    parser.add_argument('--layers', help='those alone: base,key')
    parser.add_argument('--since', metavar='COMMIT',
                        help='only lines that were changed since')
    parser.add_argument('--all', action='store_true',
                        help='run also the tests that do not run the line')
    parser.add_argument('--programs', action='store_true',
                        help='run Check programs alone, no scripts')
    parser.add_argument('--minutes', type=float, default=1e9,
                        help='start no mutant after that time')
    parser.add_argument('--log', action='store_true',
                        help='print what the log has, and try none')
    arguments = parser.parse_args()
    if arguments.log:
        return print_log()
    end = time.monotonic() + 60 * arguments.minutes
    if arguments.seed is None:
        arguments.seed = must(['git', 'rev-parse', '--short=8', 'HEAD'],
                              SRC).strip()

    os.makedirs(WORK, exist_ok=True)
    if any(path.startswith('lib/') for path in update_copy()):
        # which tests run a line is known no longer
        shutil.rmtree(WORK + '/data', ignore_errors=True)
        open(WORK + '/tests.tsv', 'w', encoding='utf-8').close()
    build(PLAIN, '-O0')
    build(COV, '-O0 --coverage')
    seconds = measure(arguments.programs)
    for number in range(2, arguments.jobs + 1):
        add_folder(number)

    changed = changed_lines(arguments.since) if arguments.since else None
    layers = arguments.layers.split(',') if arguments.layers else \
        sorted(os.path.basename(os.path.dirname(name)) for name in
               glob.glob(f'{SRC}/lib/*/') if glob.glob(f'{name}/**/*.c',
                                                       recursive=True))
    print(f'mutants: --seed {arguments.seed}, {len(layers)} layers',
          flush=True)
    waiting = multiprocessing.Queue()
    for layer in layers + [None] * arguments.jobs:
        waiting.put(layer)
    processes = [multiprocessing.Process(
        target=work, args=(number, waiting, seconds, changed, end, arguments))
        for number in range(1, arguments.jobs + 1)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    print_log()
    return any(process.exitcode for process in processes)


if __name__ == '__main__':
    sys.exit(main())
