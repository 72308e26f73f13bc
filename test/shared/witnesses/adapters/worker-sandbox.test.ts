import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkerSandbox } from '#shared/witnesses/adapters/worker-sandbox.ts';
import type { Example, Outcome, Ran } from '#shared/witnesses/decide/execution/sandbox.ts';

const sandbox = createWorkerSandbox();
afterAll(() => sandbox.close());

const example = (expression: string, literal: string | null, more: Partial<Example> = {}): Example => ({
  type: 'example',
  notation: 'call',
  quote: expression,
  expression,
  literal,
  text: literal ?? '',
  raises: null,
  anyOrder: false,
  ...more,
});

type Language = 'python' | 'javascript';

const run = (language: Language, code: string, ...checks: Example[]): Promise<Ran> =>
  sandbox.run({ language, prelude: '', code, entry: 'f', checks });

/** How a program ends, and what becomes of its one example `f(1) == 1`. */
async function endOf(language: Language, code: string): Promise<string> {
  const { end, outcomes } = await run(language, code, example('f(1)', '1'));
  return [end, ...outcomes.map(({ is }) => is)].join(' ');
}

const outcomeOf = async (
  language: Language,
  code: string,
  check: Example,
): Promise<Outcome['is'] | undefined> => (await run(language, code, check)).outcomes[0]?.is;

/** Walks from every class, module and frame, and returns how many objects it saw, and those of JavaScript. */
const SEARCH = `
import sys

NAMES = ('__dict__', '__globals__', '__closure__', '__defaults__', '__func__', '__self__', '__wrapped__', 'fget', 'cell_contents')

def f(n):
  # Kept, so that no id is given twice.
  found, seen, kept = [], set(), []
  stack = [*type.__subclasses__(object), *sys.modules.values()]
  frame = sys._getframe()
  while frame:
    stack += [frame.f_globals, frame.f_locals]
    frame = frame.f_back
  while stack:
    each = stack.pop()
    if id(each) in seen or isinstance(each, (int, str, float, bytes, type(None))):
      continue
    seen.add(id(each))
    kept.append(each)
    if 'JsProxy' in [kind.__name__ for kind in type(each).__mro__]:
      found.append(type(each).__name__)
    if isinstance(each, dict):
      stack += each.values()
    elif isinstance(each, (list, tuple, set, frozenset)):
      stack += each
    elif isinstance(each, type):
      stack += type.__subclasses__(each)
    for name in NAMES:
      try:
        value = getattr(each, name, None)
      except Exception:
        continue
      if value is not None:
        stack.append(dict(value) if name == '__dict__' else value)
  return len(seen), found
`;

const query = (text: string, schema = ['CREATE TABLE t (a INT, name TEXT)']) =>
  sandbox.run({ language: 'sql', schema, query: text });

// The first interpreter takes seconds to load; the others start from its memory.
beforeAll(() => run('python', 'def f(n):\n  return n'));

describe('Python', () => {
  const RETURNING = (expression: string): string => `def f(n):\n  return ${expression}`;

  test.each([
    ['1.0', '1', 'passed'],
    ['0.1 + 0.2', '0.3', 'passed'],
    ['2 / 3', '0.67', 'passed'],
    ['2 / 3', '0.7', 'unclear'],
    ['{"b": 1, "a": {2, 1}}', '{"a": {1, 2}, "b": 1}', 'passed'],
    ['"it\\"s"', "'it\"s'", 'passed'],
    ['True', 'true', 'passed'],
    ['None', 'null', 'passed'],
    ['[1, 2]', '[2, 1]', 'failed'],
    ['(1, 2)', '[1, 2]', 'unclear'],
    ['("Venus",)', '("Venus")', 'unclear'],
    ['"1"', '1', 'passed'],
    ['" "', '""', 'failed'],
    ['"A"', '"a"', 'failed'],
    ['2', '1', 'failed'],
    ['object()', '1', 'unclear'],
    ['(i for i in range(2))', '[0, 1]', 'passed'],
    ['1 // 0', '1', 'raised'],
    ['undefined', '1', 'unclear'],
    ['[][0]', '1', 'raised'],
    ['print(1)', '1', 'passed'],
    ['float("nan")', '1', 'failed'],
  ])('a result %s beside the expected %s is %s', async (result, expected, is) => {
    expect(await outcomeOf('python', RETURNING(result), example('f(1)', expected))).toBe(is);
  });

  test('a list in another order is unclear where the row leaves the order free', async () => {
    const check = example('f(1)', '[1, 2]', { anyOrder: true });

    expect(await outcomeOf('python', RETURNING('[2, 1]'), check)).toBe('unclear');
  });

  test.each([
    ['raise ValueError("no")', 'passed'],
    ['raise KeyError("no")', 'raised'],
    ['return 1', 'failed'],
  ])('a program that does %s where a ValueError is expected has %s', async (body, is) => {
    const check = example('f(1)', null, { raises: 'ValueError' });

    expect(await outcomeOf('python', `def f(n):\n  ${body}`, check)).toBe(is);
  });

  test('a test of the row is run, and names the assertion that fails', async () => {
    const code = 'def check(candidate):\n    assert candidate(1) == 1\n    assert candidate(2) == 3, "no"\n';
    const { outcomes } = await sandbox.run({
      language: 'python',
      prelude: '',
      code: 'def f(n):\n  return n',
      entry: 'f',
      checks: [{ type: 'test', code }],
    });

    expect(outcomes).toEqual([{ is: 'failed', came: '2', assertion: 'assert candidate(2) == 3, "no"' }]);
  });

  test('a module that every reader supplies need not be imported', async () => {
    expect(await endOf('python', 'def f(n: List[int]):\n  return math.floor(n)')).toBe('done passed');
  });

  test('code that does not compile is invalid, with its line', async () => {
    expect(await run('python', 'def f(n):\n  return (n')).toMatchObject({
      end: 'invalid',
      message: "'(' was never closed (line 2)",
    });
  });

  test.each([
    ['a process', 'import os\n\ndef f(n):\n  return os.fork()', 'done unclear'],
    ['a command', 'import os\n\ndef f(n):\n  return os.system("id")', 'done unclear'],
    ['a file', 'def f(n):\n  return open("/etc/passwd").read()', 'done unclear'],
    ['a file of its own', 'def f(n):\n  return open("/tmp/x", "w").write("x")', 'done unclear'],
    ['a descriptor', 'import posix\n\ndef f(n):\n  return posix.open("/tmp/x", 0o102)', 'done unclear'],
    ['a folder', 'import os\n\ndef f(n):\n  return os.listdir("/")', 'done unclear'],
    ['a socket', 'import socket\n\ndef f(n):\n  return socket.socket()', 'unsupported'],
    ['an address', 'import urllib.request\n\ndef f(n):\n  return 1', 'unsupported'],
    ['an input', 'def f(n):\n  return input()', 'done unclear'],
    ['a package', 'import numpy as np\n\ndef f(n):\n  return np.int64(n)', 'unsupported'],
    ['a name of the module around it', 'def f(n):\n  return _helper(n)', 'done unclear'],
    ['its own file', 'def f(n):\n  return __file__', 'done unclear'],
    ['its exit', 'import sys\n\ndef f(n):\n  sys.exit(1)', 'done unclear'],
  ])('a program that wants %s gets nothing, and is not blamed', async (_, code, end) => {
    expect(await endOf('python', code)).toBe(end);
  });

  test.each(['js', 'pyodide_js', 'pyodide.http', '_pyodide_core', 'pyodide.code', 'ctypes', '_ctypes', 'gc'])(
    'a program cannot import %s, the way to what runs it',
    async (name) => {
      expect(await endOf('python', `import ${name}\n\ndef f(n):\n  return n`)).toBe('unsupported');
      const inside = `def f(n):\n  import importlib\n  importlib.import_module('${name}')\n  return n`;
      expect(await endOf('python', inside)).toBe('done unclear');
    },
  );

  test('a program that searches all that it can reach finds no object of JavaScript', async () => {
    // It walks over more objects than a busy machine does in the time of a row.
    const patient = createWorkerSandbox({ milliseconds: 20_000 });
    const checks = [example('f(1)[1]', '[]'), example('f(1)[0] > 20000', 'True')];
    const { outcomes } = await patient
      .run({ language: 'python', prelude: '', code: SEARCH, entry: 'f', checks })
      .finally(() => patient.close());

    expect(outcomes.map(({ is }) => is)).toEqual(['passed', 'passed']);
  });

  test('a program finds no variable of the environment', async () => {
    const code =
      'import os\n\ndef f(n):\n  return [name for name in os.environ if name in ("PATH", "AWS_REGION", "NODE_ENV") and os.environ[name] != "/"]';

    expect(await outcomeOf('python', code, example('f(1)', '[]'))).toBe('passed');
  });

  test('a program that never ends is broken off, and the next one runs', async () => {
    expect(await endOf('python', 'def f(n):\n  while True:\n    pass')).toBe('timeout');
    // A busy machine may take the second of a job for the start of its interpreter.
    let next = await endOf('python', 'def f(n):\n  return n');
    for (let tries = 0; tries < 3 && next === 'timeout'; tries += 1) {
      next = await endOf('python', 'def f(n):\n  return n');
    }
    expect(next).toBe('done passed');
  });

  test('a program that catches what stops it is broken off', async () => {
    const code =
      'def f(n):\n  while True:\n    try:\n      print("x" * 10**6)\n    except BaseException:\n      pass';

    expect(await endOf('python', code)).toBe('timeout');
  });

  test.each([
    ['gigabytes at once', 'def f(n):\n  return len([0] * 10**9)', 'done unclear'],
    [
      'gigabytes in steps',
      'def f(n):\n  x = []\n  while True:\n    x.append(bytearray(10**7))',
      'done unclear',
    ],
    [
      'a gigabyte of output',
      'def f(n):\n  print("x" * 10**6)\n  for _ in range(1000):\n    print("x" * 10**6)',
      'done unclear',
    ],
    ['frames without end', 'def f(n):\n  return f(n + 1)', 'done raised'],
    ['gigabytes when it loads', 'x = bytearray(2 * 10**9)\n\ndef f(n):\n  return n', 'memory'],
  ])('a program that takes %s ends in a clear state', async (_, code, end) => {
    // On a busy machine, its time is over first.
    expect([end, 'timeout']).toContain(await endOf('python', code));
  });

  test('a program that nests deeper than the interpreter ends in a clear state', async () => {
    const nested = `def f(n):\n  return ${'('.repeat(5000)}n${')'.repeat(5000)}`;

    expect(['invalid', 'memory', 'unsupported', 'crashed']).toContain(await endOf('python', nested));
    expect(await endOf('python', 'def f(n):\n  return n')).toBe('done passed');
  });

  test('what a program changes is forgotten before the next one', async () => {
    const change =
      'import builtins, json, math, random\nbuiltins.ord = lambda x: 7\nmath.pi = 3\njson.leaked = 1\nleaked = 1\nrandom.seed(5)\n\ndef f(n):\n  return ord("a")';
    expect(await outcomeOf('python', change, example('f(1)', '7'))).toBe('passed');
    const look =
      'import json, math, random\n\ndef f(n):\n  return [ord("a"), math.pi > 3.1, hasattr(json, "leaked"), "leaked" in globals()]';
    expect(await outcomeOf('python', look, example('f(1)', '[97, True, False, False]'))).toBe('passed');
  });

  test('chance and time are the same for every program', async () => {
    const code = 'import random, time\n\ndef f(n):\n  return [random.random(), time.time(), hash("a")]';
    const [first, second] = [
      await run('python', code, example('f(1)', '0')),
      await run('python', code, example('f(1)', '0')),
    ];

    expect(first.outcomes[0]?.came).toBe(second.outcomes[0]?.came);
    expect(first.outcomes[0]?.came).toContain('1704067200');
  });
});

describe('JavaScript', () => {
  test.each([
    ['[n, { a: n }]', '[1, {"a": 1}]', 'passed'],
    ['0.1 + 0.2', '0.3', 'passed'],
    ['String(n)', '1', 'unclear'],
    ['n + 1', '1', 'failed'],
    ['null.x', '1', 'raised'],
    ['new Map()', '1', 'unclear'],
    ['Promise.resolve(n)', '1', 'unclear'],
    ['require("fs")', '1', 'unclear'],
    ['process.env', '1', 'unclear'],
    ['fetch("http://127.0.0.1")', '1', 'unclear'],
    ['console.log(n)', '1', 'passed'],
    ['typeof globalThis.std + typeof globalThis.os', '"undefinedundefined"', 'passed'],
  ])('a result %s beside the expected %s is %s', async (result, expected, is) => {
    expect(
      await outcomeOf(
        'javascript',
        `const f = (n) => ${result.startsWith('{') ? `(${result})` : result};`,
        example('f(1)', expected),
      ),
    ).toBe(is);
  });

  test('a call with fewer arguments than its function takes is unclear', async () => {
    expect(await outcomeOf('javascript', 'const f = (n, m) => m;', example('f(1)', '1'))).toBe('unclear');
  });

  test.each([
    ['never ends', 'function f() { while (true); }', 'timeout'],
    ['recurs without end', 'function f(n) { return f(n) + 1; }', 'done raised'],
    [
      'fills the memory',
      'function f() { const a = []; for (;;) a.push(new Array(1000).fill(a)); }',
      'done unclear',
    ],
    ['makes a gigabyte of text', 'function f() { return "a".repeat(1e9); }', 'done unclear'],
    ['prints a gigabyte', 'function f() { for (;;) console.log("a".repeat(1e4)); }', 'done unclear'],
    ['never ends as it loads', 'function f() {}\nwhile (true);', 'timeout'],
    ['matches for ever', 'function f() { return /^(a+)+$/.test("a".repeat(40) + "b"); }', 'timeout'],
    ['does not compile', 'function f( {', 'invalid'],
  ])('a program that %s ends in a clear state', async (_, code, end) => {
    // On a busy machine, its time is over first.
    expect([end, 'timeout']).toContain(await endOf('javascript', code));
    expect(await endOf('javascript', 'const f = (n) => n;')).toBe('done passed');
  });

  test('a polluted prototype is clean for the next program', async () => {
    const pollute =
      'Object.prototype.leaked = 1; Array.prototype.map = () => [7]; globalThis.leaked = 1; function f(n) { return [n].map(String)[0]; }';
    expect(await outcomeOf('javascript', pollute, example('f(1)', '7'))).not.toBe('failed');
    const look = 'const f = (n) => [({}).leaked === undefined, [n].map((x) => x)[0], typeof leaked];';
    expect(await outcomeOf('javascript', look, example('f(1)', '[true, 1, "undefined"]'))).toBe('passed');
  });
});

describe('SQL', () => {
  test('a query that binds and runs says so', async () => {
    expect(await query('SELECT a, count(*) FROM t WHERE name = "Bob" GROUP BY name')).toMatchObject({
      end: 'done',
    });
  });

  test.each([
    ['SELECT b FROM t', 'no such column: b'],
    ['SELECT a FROM u', 'no such table: u'],
    ["SELECT * FROM read_csv('/etc/passwd')", 'no such table: read_csv'],
    ["COPY t TO '/tmp/x'", 'near "COPY": syntax error'],
    ['INSTALL httpfs', 'near "INSTALL": syntax error'],
    ["SELECT load_extension('/tmp/x.so')", 'no such function: load_extension'],
    ["SELECT readfile('/etc/passwd')", 'no such function: readfile'],
  ])('the query %j is refused: %s', async (text, message) => {
    expect(await query(text)).toEqual({ end: 'invalid', message, outcomes: [] });
  });

  test.each([
    [
      'counts without end',
      'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r',
      'timeout',
    ],
    [
      'multiplies tables',
      'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 10000) SELECT count(*) FROM r a, r b, r c WHERE a.n + b.n + c.n = 0',
      'timeout',
    ],
    ['makes gigabytes', 'SELECT hex(zeroblob(900000000))', 'memory'],
  ])('a query that %s ends in a clear state', async (_, text, end) => {
    expect([end, 'timeout']).toContain((await query(text)).end);
  });

  test('a file that a query attaches is gone with its row', async () => {
    const attach = [
      "ATTACH DATABASE '/tmp/leak.db' AS x",
      'CREATE TABLE x.leaked (a INT)',
      'CREATE TABLE t (a INT)',
    ];
    expect((await query('SELECT a FROM t', attach)).end).not.toBe('crashed');
    expect((await query('SELECT a FROM leaked')).end).toBe('invalid');
  });

  test('a schema of another dialect says nothing about the query', async () => {
    expect(
      await query('SELECT a FROM t', ['CREATE TABLE t (a INT AUTO_INCREMENT) ENGINE=InnoDB']),
    ).toMatchObject({ end: 'unsupported' });
  });
});

test('an aborted signal rejects', async () => {
  const job = { language: 'javascript', prelude: '', code: '', entry: null, checks: [] } as const;

  await expect(sandbox.run(job, AbortSignal.abort())).rejects.toThrow();
});
