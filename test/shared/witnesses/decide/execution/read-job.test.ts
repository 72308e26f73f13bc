import { describe, expect, test } from 'vitest';
import { parametersOf, readProgram } from '#shared/witnesses/decide/execution/read-code.ts';
import { readJob } from '#shared/witnesses/decide/execution/read-job.ts';
import { readSql, sqlFault } from '#shared/witnesses/decide/execution/read-sql.ts';

const programOf = (completion: string, prompt = '') => readProgram({ prompt, completion, context: '' });

describe('the code of a completion', () => {
  test.each([
    ['bare', 'def f(n):\n    return n'],
    ['fenced', 'Here it is:\n\n```python\ndef f(n):\n    return n\n```\n\nIt returns n.'],
    ['fenced without a language', '```\ndef f(n):\n    return n\n```'],
    ['with imports', 'import math\n\nfrom typing import List\n\n\ndef f(n):\n    return n'],
  ])('Python is found %s', (_, completion) => {
    expect(programOf(completion)).toMatchObject({ language: 'python', functions: ['f'], entry: 'f' });
  });

  test.each([
    ['a declaration', '```javascript\nfunction f(n) {\n  return n;\n}\n```'],
    ['an arrow', 'const f = (n) => n;'],
    ['an export', 'export function f(n) {\n  return n;\n}'],
  ])('JavaScript is found as %s', (_, completion) => {
    expect(programOf(completion)).toMatchObject({ language: 'javascript', functions: ['f'] });
  });

  test('a body completes the head that ends its prompt', () => {
    const program = programOf('    return n + 1', 'Complete.\n\ndef f(n):\n    """Adds one."""\n');

    expect(program).toMatchObject({
      code: 'def f(n):\n    """Adds one."""\n    return n + 1\n',
      entry: 'f',
      isWhole: false,
    });
  });

  test('a program whose prompt names a function is about it', () => {
    const completion = 'def g(n):\n    return n\n\ndef f(n):\n    return g(n)\n\ndef h():\n    pass';

    expect(programOf(completion, 'def f(n):\n    """Returns n."""')?.entry).toBe('f');
    expect(programOf(completion)?.entry).toBeNull();
  });

  test.each([
    ['prose', 'The function returns n.'],
    [
      'two programs',
      '```python\ndef f(n):\n    return n\n```\n\nOr:\n\n```python\ndef f(n):\n    return +n\n```',
    ],
    ['a fence that is open', '```python\ndef f(n):\n    return n'],
    ['code of another language', '```java\nint f(int n) { return n; }\n```'],
    ['code without a function', '```python\nprint(1)\n```'],
    ['a row that is too long', `def f(n):\n    return n\n${'#'.repeat(60_000)}`],
  ])('%s is no program', (_, completion) => {
    expect(programOf(completion)).toBeNull();
  });

  test.each([
    ['abridged', '```python\ndef f(n):\n    ...\n```\n'],
    ['with a placeholder', '```python\ndef f(n):\n    return <your code>\n```'],
    ['for Python 2', '```python\ndef f(n):\n    print "n"\n```'],
    ['without a body on several lines', '```python\ndef f(\n    n: int,\n) -> int:\n```'],
    ['without a body', '```python\ndef f(n: int) -> int:\n```'],
    ['with prose below', 'def f(n):\n    return n\n\nThis function returns its argument.'],
  ])('code that is %s need not compile', (_, completion) => {
    expect(programOf(completion)?.isWhole).toBe(false);
  });

  test.each([
    ['waits', 'const read = async () => 1;\nconst one = await read();'],
    ['has decorators', '@Injectable()\nclass A {}\nfunction f() { return 1; }'],
  ])('JavaScript that %s need not compile', (_, code) => {
    expect(programOf(`\`\`\`js\n${code}\n\`\`\``)?.isWhole).toBe(false);
  });

  test.each(['Write code with a syntax error.', 'Write a Python 2 function.'])(
    'the prompt %j tells that code need not compile',
    (prompt) => {
      expect(programOf('```python\ndef f(n):\n    return n\n```', prompt)?.isWhole).toBe(false);
      expect(programOf('```python\ndef f(n):\n    return n\n```')?.isWhole).toBe(true);
    },
  );

  test('parameters are told from their types and defaults', () => {
    const program = programOf('def f(a: Dict[str, int], b=(1, 2), c = 3):\n    return a');

    expect(program && parametersOf(program, 'f')).toEqual({ required: ['a'], all: ['a', 'b', 'c'] });
  });
});

describe('the code that a row brings', () => {
  const completion = 'def f(n):\n    return n';
  const givenIn = (prompt: string, context = '', answer = completion) =>
    readJob({ prompt: `${prompt}\nf(1) == 1`, completion: answer, context })?.given?.code ?? null;

  test.each([
    ['fenced', 'Fix it:\n\n```python\ndef f(n):\n    return -n\n```', 'def f(n):\n    return -n'],
    [
      'between prose',
      'import os\nFix it:\ndef f(\n    n,\n):\n\n    return -n\nIt fails.',
      'import os\ndef f(',
    ],
    ['on one line', 'def f(n): return -n\nFix it.', 'def f(n): return -n'],
  ])('given code is found %s', (_, prompt, code) => {
    expect(givenIn(prompt)).toContain(code);
    expect(givenIn('Fix it.', prompt)).toContain(code);
  });

  test('given code is found in JavaScript', () => {
    const prompt = 'Fix function f: `function f(n) { return { n }; }` yields an object.';

    expect(givenIn(prompt, '', '```js\nfunction f(n) {\n  return n;\n}\n```')).toBe(
      'function f(n) { return { n }; }',
    );
  });

  test.each([
    ['a head with a docstring', 'def f(n):\n    """Returns n."""\n'],
    ['a head with a placeholder', 'def f(n):\n    # Your code\n    pass\n'],
    ['a head that raises', 'def f(n):\n    raise NotImplementedError("write it")\n'],
    ['another function', 'def g(n):\n    return n\n'],
    ['a head that does not end', 'def f(n'],
  ])('%s is no given code', (_, prompt) => {
    expect(givenIn(prompt)).toBeNull();
  });

  test('a test of the context is no given code, and its messages ask for no correction', () => {
    const context = 'def check(f):\n    assert f(1) == 1, "It fails."\n';

    expect(readJob({ prompt: 'Write f.', completion, context })).toMatchObject({
      given: null,
      asksForFix: false,
    });
  });

  test.each([
    'Fix f.',
    'What is wrong with f?',
    'f does not work.',
    'f(1) returns 2 instead of 1.',
    'f is broken.',
  ])('the prompt %j asks for a correction', (prompt) => {
    expect(readJob({ prompt: `${prompt}\nf(1) == 1`, completion, context: '' })?.asksForFix).toBe(true);
  });

  test.each(['Write f.', 'FIX = 1', 'Prefix n.', 'Raise an error if n is negative.'])(
    'the prompt %j asks for no correction',
    (prompt) => {
      expect(readJob({ prompt: `${prompt}\nf(1) == 1`, completion, context: '' })?.asksForFix).toBe(false);
    },
  );
});

describe('what code is checked against', () => {
  test('a test of the context is run, and the examples of the prompt', () => {
    const read = readJob({
      prompt: 'f(1) == 1',
      completion: 'def f(n):\n    return n',
      context: 'def check(candidate):\n    assert candidate(1) == 1\n',
    });

    expect(read?.job).toMatchObject({ checks: [{ type: 'example' }, { type: 'test' }] });
  });

  test.each([
    ['import random\n\ndef f(n):\n    return random.random()', ''],
    ['def f(n):\n    return n', 'There are multiple solutions; return any valid one.'],
  ])('the results of %j with %j are free', (completion, prompt) => {
    expect(readJob({ prompt: `${prompt}\nf(1) == 1`, completion, context: '' })?.isFree).toBe(true);
  });

  test('a row without a check and without whole code is not run', () => {
    expect(readJob({ prompt: 'Write f.', completion: 'const f = (n) => n;', context: '' })).toBeNull();
  });
});

describe('queries', () => {
  const schema = "CREATE TABLE singer (name VARCHAR(20), age INT); INSERT INTO singer VALUES ('a;b', 3);";
  const jobOf = (query: string, prompt = schema) => readSql({ prompt, completion: query, context: '' });

  test('a query is read with the schema of its prompt', () => {
    expect(jobOf('```sql\nSELECT name FROM singer;\n```')).toEqual({
      language: 'sql',
      query: 'SELECT name FROM singer',
      schema: ['CREATE TABLE singer (name VARCHAR(20), age INT)', "INSERT INTO singer VALUES ('a;b', 3)"],
    });
  });

  test.each([
    ['a statement that is no query', 'DROP TABLE singer'],
    ['two statements', 'SELECT 1; SELECT 2'],
    ['prose', 'Select the name of each singer; then count them.'],
  ])('%s is not read', (_, completion) => {
    expect(jobOf(completion)).toBeNull();
  });

  test('a query without a schema is not read', () => {
    expect(jobOf('SELECT name FROM singer', 'Write a query.')).toBeNull();
  });

  test.each([
    ['no such column: height', 'SELECT height FROM singer', 'the schema has no column height'],
    ['no such column: T2.age', 'SELECT T2.age FROM x AS T2', 'the tables it reads have no column T2.age'],
    ['no such table: songs', 'SELECT 1 FROM songs', 'the schema has no table songs'],
    ['incomplete input', 'SELECT', 'it is not complete'],
  ])('the message %j of %j tells a fault', (message, query, fault) => {
    expect(sqlFault(message, { language: 'sql', schema: [schema], query }, '')).toBe(fault);
  });

  test.each([
    ['no such table: songs', 'The table songs has a column title.'],
    ['no such table: songs', 'CREATE TABLE x (song INT REFERENCES songs(id))'],
    ['no such column: T1.title', 'Singers also have the columns age and title.'],
  ])('what %j misses may be there where its row says %j', (message, around) => {
    const job = { language: 'sql', schema: [schema], query: 'SELECT T1.title FROM singer T1' } as const;

    expect(sqlFault(message, job, around)).toBeNull();
    expect(sqlFault(message, job, 'Which titles are there?')).not.toBeNull();
  });

  test.each([
    ['no such column: day', 'SELECT DATEDIFF(day, a, b) FROM singer'],
    ['no such column: total', 'SELECT 1 AS total, total + 1 FROM singer'],
    ['no such table: information_schema.tables', 'SELECT 1 FROM information_schema.tables'],
    ['no such table: generate_series', 'SELECT 1 FROM generate_series(1, 2)'],
    ['no such table: read_csv', "SELECT 1 FROM read_csv('a.csv')"],
    ['no such column: dd', 'SELECT DATEADD(dd, 1, name) FROM singer'],
    ['no such column: yy', 'SELECT DATEPART(yy, name) FROM singer'],
    ['no such column: SQL_TSI_DAY', 'SELECT TIMESTAMPDIFF(SQL_TSI_DAY, name, NOW()) FROM singer'],
    ['no such column: ISOWEEK', 'SELECT DATE_TRUNC(COALESCE(name, age), ISOWEEK) FROM singer'],
    ['no such column: varchar', 'SELECT CONVERT(varchar, age) FROM singer'],
    ['no such column: SYSTIMESTAMP', 'SELECT SYSTIMESTAMP FROM singer'],
    ['no such column: ctid', 'SELECT ctid FROM singer'],
    ['no such column: _PARTITIONTIME', 'SELECT 1 FROM singer WHERE _PARTITIONTIME > 1'],
    ['no such column: name.first', 'SELECT name.first FROM singer'],
    ['no such function: DATEDIFF', 'SELECT DATEDIFF(a, b) FROM singer'],
    ['near "TOP": syntax error', 'SELECT TOP 1 name FROM singer'],
  ])('the message %j of %j is of a dialect', (message, query) => {
    expect(sqlFault(message, { language: 'sql', schema: [schema], query }, '')).toBeNull();
  });
});
