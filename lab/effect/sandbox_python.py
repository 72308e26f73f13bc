"""Runs untrusted functions, each in a forked process of its own with nothing to read, write or reach.

Takes a JSON list of cases {code, entry, args} on standard input and prints one JSON line a case: {results: [{value} or
{error}]} in the order of args, or {error}. What results are expected is not known here.
"""

import json
import os
import resource
import select
import signal
import sys
import time

# Loaded before the fork, so that answers which import them cost nothing.
import bisect, collections, copy, datetime, decimal, fractions, functools, heapq, itertools, math, random, re, statistics, string  # noqa
import _strptime, calendar, dataclasses, enum, operator, textwrap, typing, unicodedata  # noqa

WALL_SECONDS = 5
CPU_SECONDS = 2
MEMORY_BYTES = 512 * 1024 * 1024
OUTPUT_BYTES = 1_000_000
LIBRARY = os.path.realpath(os.path.dirname(os.__file__))
READ_ONLY = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
REFUSED = (
    'os.', 'shutil.', 'subprocess.', 'socket.', 'ctypes.', 'resource.', 'signal.', 'pty.', 'mmap.', 'fcntl.',
    'sqlite3.', 'urllib.', 'http.', 'ftplib.', 'smtplib.', 'imaplib.', 'poplib.', 'telnetlib.', 'nntplib.',
    'webbrowser.', 'syslog.', 'tempfile.', 'sys.addaudithook', 'gc.', 'cpython.',
)  # fmt: skip
# Imports look through the folders of the standard library.
LOOKING = ('os.listdir', 'os.scandir')


def guard(event, args, LIBRARY=LIBRARY, READ_ONLY=READ_ONLY, REFUSED=REFUSED, LOOKING=LOOKING, realpath=os.path.realpath, fsdecode=os.fsdecode):
    """Refuses what an answer has no business with: processes, sockets, files outside the standard library."""
    if event == 'open':
        path, _, flags = args
        inside = isinstance(path, (str, bytes)) and realpath(fsdecode(path)).startswith(LIBRARY)
        if not inside or (isinstance(flags, int) and flags & READ_ONLY):
            raise PermissionError('an answer may not open files')
    elif event in LOOKING:
        if not realpath(fsdecode(args[0] or '.')).startswith(LIBRARY):
            raise PermissionError('an answer may not read folders')
    elif event.startswith(REFUSED):
        raise PermissionError(f'an answer may not use {event}')


def confine():
    limits = (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 32),
    )
    # The soft limit is a signal that says why, the hard one cannot be caught.
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
    for limit, value in limits:
        resource.setrlimit(limit, (value, value))
    sys.addaudithook(guard)
    # An answer that reached this module could take its guard apart.
    sys.modules.pop('__main__', None)


def run(case):
    names = {'__name__': 'answer'}
    exec(compile(case['code'], 'answer', 'exec'), names)
    entry = names.get(case['entry'])
    if not callable(entry):
        return {'error': f"the code does not define {case['entry']}"}
    results = []
    for args in case['args']:
        try:
            value = entry(*args)
            # What is no JSON is an error of this one result.
            results.append({'value': json.loads(json.dumps(value, allow_nan=False))})
        except Exception as error:
            results.append({'error': describe(error)})
    return {'results': results}


def describe(error):
    return f'{type(error).__name__}: {error}'[:200]


def work(case, out):
    """The child's whole life."""
    null = os.open('/dev/null', os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    confine()
    try:
        said = json.dumps(run(case))
    except BaseException as error:
        said = json.dumps({'error': describe(error)})
    data = said.encode()
    while data:
        data = data[os.write(out, data) :]


def answer(case):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            os.close(reader)
            work(case, writer)
        finally:
            os._exit(0)
    os.close(writer)
    said, until, problem = b'', time.monotonic() + WALL_SECONDS, None
    while True:
        left = until - time.monotonic()
        if left <= 0 or not select.select([reader], [], [], left)[0]:
            problem = f'it ran for more than {WALL_SECONDS} seconds'
            break
        data = os.read(reader, 65536)
        if not data:
            break
        said += data
        if len(said) > OUTPUT_BYTES:
            problem = 'its results are too large'
            break
    os.close(reader)
    try:
        os.killpg(child, signal.SIGKILL)
    except OSError:
        pass
    _, status = os.waitpid(child, 0)
    if problem is None and not said:
        ended = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
        problem = f'it ran for more than {CPU_SECONDS} seconds' if ended == signal.SIGXCPU else 'its process ended early'
        if ended is not None and ended != signal.SIGXCPU:
            problem += f' by signal {ended}'
    return json.dumps({'error': problem}) if problem is not None else said.decode()


for case in json.load(sys.stdin):
    line = answer(case)
    sys.stdout.write(line.replace('\n', ' ') + '\n')
    sys.stdout.flush()
