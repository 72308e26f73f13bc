import { describe, expect, test } from 'vitest';
import { checkAnswer } from '#lab/effect/check-answer.ts';
import { Check } from '#lab/effect/row.ts';

type CheckOf<T extends Check['type']> = Extract<Check, { type: T }>;

const isOk = async (check: Check, answer: string) => (await checkAnswer(Check.parse(check), answer)).ok;

async function expectAnswers(check: Check, good: readonly string[], bad: readonly string[]): Promise<void> {
  for (const answer of good) expect(await checkAnswer(check, answer), answer).toEqual({ ok: true, why: '' });
  for (const answer of bad) expect(await isOk(check, answer), answer).toBe(false);
}

test('exact takes the strings and nothing around them', () =>
  expectAnswers({ type: 'exact', answers: ['B', 'b)'] }, ['B', ' b)\n'], ['b', 'B.', 'The answer is B', '']));

test('a number has its value, and one of its units', async () => {
  const bare: Check = { type: 'number', value: 12.5, tolerance: 0.1 };
  await expectAnswers(
    bare,
    ['12.5', '12.45', '+12.5'],
    ['12.7', '12.5 km', 'about 12.5', '-12.5', '12,5', ''],
  );
  const below: Check = { type: 'number', value: -3, tolerance: 0, units: ['°C', 'degrees'] };
  await expectAnswers(below, ['-3 °C', '−3°C', '-3.0 degrees'], ['-3', '3 °C', '-3 °F', '-3 °C.']);
});

test('a result is the last number of the text', () =>
  expectAnswers(
    { type: 'result', value: 1250.5, tolerance: 0 },
    ['It is 1,250.5.', '2 + 3 = 5, so 1250.50 euros', '$1’250.5', 'x = 1\u202f250.5 (R2D2)'],
    ['1250.5, rounded 1251', '-1250.5', 'none', '1,250.05'],
  ));

test('a result may be negative, and a range is not', () =>
  expectAnswers({ type: 'result', value: -7, tolerance: 0.5 }, ['= -7', 'It is −7.2.'], ['0-7', '7']));

test('a pattern is found without regard to case, unless its flags say so', async () => {
  await expectAnswers({ type: 'pattern', pattern: '^a.c$' }, ['ABC', 'a\nc'], ['abcd']);
  await expectAnswers({ type: 'pattern', pattern: '^a.c$', flags: '' }, ['abc'], ['ABC', 'a\nc']);
});

test('JSON is equal whatever the order of keys, and may stand in a fence', () =>
  expectAnswers(
    { type: 'json', value: { a: [1, { b: null }], c: 'x' } },
    ['{"c":"x","a":[1.0,{"b":null}]}', '```json\n{"a":[1,{"b":null}],"c":"x"}\n```'],
    ['{"a":[1,{"b":null}]}', '{"a":[1,{}],"c":"x"}', 'Here: {"a":[1,{"b":null}],"c":"x"}', '{"a":'],
  ));

test('a table has these cells and no text around it', async () => {
  const rows = [
    ['Day', 'Task'],
    ['Mon', 'a | b, c'],
  ];
  await expectAnswers(
    { type: 'table', format: 'markdown', rows },
    ['| Day | Task |\n|---|:-:|\n| Mon | a \\| b, c |', 'Day|Task\n-|-\nMon|a \\| b, c'],
    [
      '| Day | Task |\n| Mon | a \\| b, c |',
      'A table:\n\n| Day | Task |\n|---|---|\n| Mon | a |',
      'Day,Task',
    ],
  );
  await expectAnswers(
    { type: 'table', format: 'csv', rows },
    ['Day,Task\nMon,"a | b, c"\n', 'Day, Task\r\nMon ,"a | b, c"'],
    ['Day,Task\nMon,a | b, c', 'Day;Task\nMon;"a | b, c"', ''],
  );
});

test('answers that are right to the letter: all takes what satisfies each check', () =>
  expectAnswers(
    {
      type: 'all',
      of: [
        { type: 'pattern', pattern: '^\\d' },
        { type: 'result', value: 2, tolerance: 0 },
      ],
    },
    ['1 and 2'],
    ['one and 2', '1'],
  ));

describe('code', () => {
  const tests = [
    { args: [1, 2], result: [3, 0.1] },
    { args: [2, 2], result: [4, 0.1] },
  ];
  const python: Check = { type: 'code', language: 'python', entry: 'f', tests };
  const javascript: Check = { type: 'code', language: 'javascript', entry: 'f', tests };
  const why = async (check: Check, answer: string) => (await checkAnswer(check, answer)).why;

  test('code is run: Python', async () => {
    const answers = [
      'def f(a, b):\n  return (a + b, 0.1 + 1e-12)',
      'Like so:\n```python\nimport collections, csv\ndef f(a, b):\n  print("x")\n  return [a + b, 0.1]\n```\nDone.',
    ];
    expect(await Promise.all(answers.map((answer) => checkAnswer(python, answer)))).toEqual(
      answers.map(() => ({ ok: true, why: '' })),
    );
    const other = await Promise.all(
      ['def f(a, b):\n  return [a, 0.1]', 'def g(a, b):\n  return 1', 'def f(a, b)', 'I do not know.'].map(
        (answer) => why(python, answer),
      ),
    );
    expect(other).toEqual([
      'f(1,2) is [1,0.1] and not [3,0.1]',
      'the code does not define f',
      expect.stringContaining('SyntaxError'),
      expect.stringContaining('SyntaxError'),
    ]);
  });

  test('code reaches nothing and does not stay: Python', async () => {
    const lines = [
      'open("/tmp/x", "w")',
      'open("/etc/passwd").read()',
      '__import__("os").system("true")',
      '__import__("os").remove("/tmp/x")',
      '__import__("socket").socket()',
      '__import__("subprocess").run(["true"])',
      '__import__("ctypes").CDLL(None)',
    ];
    const told = await Promise.all(
      lines.map((line) => why(python, `def f(a, b):\n  ${line}\n  return [a + b, 0.1]`)),
    );
    expect(told.filter((text) => !text.includes('PermissionError'))).toEqual([]);
    const ended = await Promise.all(
      ['while True: pass', 'x = "x" * 10**10', '__import__("os")._exit(0)', 'return "x" * 10**7'].map(
        (line) => why(python, `def f(a, b):\n  ${line}`),
      ),
    );
    expect(ended).toEqual([
      // 2 seconds of the processor, or 5 by the clock where others use it too.
      expect.stringMatching(/^it ran for more than [25] seconds$/),
      expect.stringContaining('MemoryError'),
      'its process ended early',
      'its results are too large',
    ]);
  });

  test('code is run: JavaScript', async () => {
    const answers = [
      'const f = (a, b) => [a + b, 0.1];',
      '```js\nexport function f(a, b) {\n  console.log(a);\n  return [a + b, 0.1];\n}\n```',
      'module.exports = { f: (a, b) => [a + b, 0.1] };',
    ];
    for (const answer of answers) expect(await why(javascript, answer), answer).toBe('');
    expect(await why(javascript, 'const f = (a) => [a, 0.1];')).toBe('f(1,2) is [1,0.1] and not [3,0.1]');
    expect(await why(javascript, 'const f = () => undefined;')).toContain('returned nothing');
    expect(await why(javascript, 'const g = 1;')).toBe('the code does not define f');
  });

  test('code reaches nothing and does not stay: JavaScript', async () => {
    const outside = 'Array.constructor.constructor("return process")()';
    const told = await Promise.all(
      [`require('node:fs')`, `${outside}.version`, 'for (;;);'].map((line) =>
        why(javascript, `function f(a, b) { ${line} }`),
      ),
    );
    expect(told).toEqual([
      expect.stringContaining('require is not defined'),
      expect.stringContaining('process is not defined'),
      expect.stringContaining('timed out'),
    ]);
  });
});

describe('SQL', () => {
  const check: CheckOf<'sql'> = {
    type: 'sql',
    setup: [
      'CREATE TABLE t (a BIGINT, d DATE, x DECIMAL(9, 2))',
      "INSERT INTO t VALUES (1, '2024-01-05', 2.50), (2, '2024-02-05', 3.5)",
    ],
    rows: [
      [2, '2024-02-05', 3.5],
      [1, '2024-01-05', 2.5],
    ],
    ordered: true,
  };

  test('SQL returns these rows', async () => {
    await expectAnswers(
      check,
      ['SELECT * FROM t ORDER BY a DESC;', '```sql\nselect a, d::timestamp, x from t order by 1 desc\n```'],
      ['SELECT * FROM t ORDER BY a', 'SELECT a, d FROM t ORDER BY a DESC', 'SELECT * FROM t LIMIT 1', 'from'],
    );
    await expectAnswers(
      { ...check, ordered: false },
      ['SELECT * FROM t'],
      ['SELECT * FROM t UNION ALL SELECT * FROM t', 'SELECT 1, d, x FROM t'],
    );
  });

  test('SQL is one query that reaches no file and comes to an end', async () => {
    const answers = [
      'SELECT * FROM t; SELECT 1',
      'DROP TABLE t',
      "SELECT * FROM read_text('/etc/passwd')",
      'SELECT count(*), 1, 1 FROM range(100000000000) a, range(1000) b',
      'SELECT range, 1, 1 FROM range(100000000000)',
    ];
    expect(await Promise.all(answers.map(async (answer) => (await checkAnswer(check, answer)).why))).toEqual([
      'fails: there are 2 statements',
      'fails: the statement is no query',
      expect.stringContaining('Permission'),
      expect.stringContaining('Interrupted'),
      expect.stringContaining('rows and not 2'),
    ]);
  });
});

describe('prose', () => {
  const text = (fields: Omit<CheckOf<'text'>, 'type'>): Check => ({ type: 'text', ...fields });

  test('prose holds what it must and nothing that it must not', () =>
    expectAnswers(
      text({ includes: ['salt', 'wat(er|ch)'], excludes: ['\\bSydney\\b'] }),
      ['Water with SALT.'],
      ['Water.', 'Water, salt and sydney.', ''],
    ));

  test('prose is in a person', async () => {
    await expectAnswers(
      text({ person: 'first' }),
      ['I went home.', "We're late.", 'It was my idea.', "i'd go"],
      ['World War I ended.', 'Use I/O.', 'He said "I went".', 'You go.'],
    );
    await expectAnswers(
      text({ person: 'second' }),
      ['You can go.', 'Check your oil, says “I, Claudius”.'],
      ['I told you.', 'One can go.', '“You” is a word.'],
    );
    await expectAnswers(
      text({ person: 'third' }),
      ['She went home.', '"I am late," he said.', 'Myanmar, i.e. Burma.'],
      ['She met my sister.', 'We went.', 'She says I am late.', 'and i was late'],
    );
  });

  test('prose is in a language', () =>
    expectAnswers(
      text({ language: 'de' }),
      ['Der Hund schläft heute den ganzen Tag im Garten.'],
      ['The dog sleeps in the garden all day long today.', 'Hund'],
    ));

  test('prose has so many words, sentences and lines', async () => {
    await expectAnswers(
      text({ words_min: 2, words_max: 3 }),
      ['one two', "it's one two"],
      ['one', 'a b c d'],
    );
    await expectAnswers(
      text({ sentences: 2 }),
      [
        'One. Two.',
        'Ask Dr. Lind in No. 3 at 5.30 p.m. today. Then go!',
        '1. Go home.\n2. Sleep',
        '好的。走吧。',
        'E.g. this (“so.”) And',
      ],
      ['One.', 'One. Two. Three', 'Is it? No. Yes.'],
    );
    await expectAnswers(text({ lines: 2 }), ['a\n\nb'], ['a', 'a\nb\nc']);
  });

  test('prose is written', () =>
    expectAnswers(
      text({ written: true }),
      [
        'This is fine.',
        '“Fine,” she said.',
        '**Bold** start, and a *soft end.*',
        'Steps:\n1. Go\n2. Come back',
        '- apples\n- pears',
        '3 eggs are enough!',
        '`ls` lists files:\n```sh\nls\n```',
        'iPhones are phones.',
        '很好。',
        'Its roots are the deepest; let u = 2 and r = 3.',
        'E.g. he said "dont" (i.e. don’t).',
      ],
      [
        'this is not.',
        'This is not',
        'Thx for this.',
        "Don't do that, i said.",
        'You dont need it.',
        'Its a pity.',
        'I think ur right.',
        'How r you?',
        'Bring water w/ you.',
        'It is definately so.',
        'You could of asked.',
      ],
    ));

  test('prose of another language is not held to the misspellings of English', async () => {
    const german = 'Das Haus im Wald ist alt.';
    expect(await isOk(text({ written: true }), german)).toBe(false);
    expect(await isOk(text({ written: true, language: 'de' }), german)).toBe(true);
  });
});

test('answers of any length are looked at within bounds', async () => {
  const checks: Check[] = [
    { type: 'exact', answers: ['x'] },
    { type: 'number', value: 1, tolerance: 0 },
    { type: 'result', value: -5, tolerance: 0 },
    { type: 'pattern', pattern: '(x+)+y' },
    { type: 'json', value: 1 },
    { type: 'table', format: 'markdown', rows: [['a'], ['b']] },
    {
      type: 'code',
      language: 'python',
      entry: 'f',
      tests: [
        { args: [], result: 1 },
        { args: [], result: 1 },
      ],
    },
    { type: 'sql', setup: [], rows: [], ordered: true },
    { type: 'text', includes: ['y'] },
    { type: 'text', sentences: 3, person: 'third', written: true },
  ];
  const answers = ['. ', '"', '“', '1,', '```\n', '|-'].map((part) => part.repeat(1_000_000 / part.length));
  const started = process.cpuUsage();
  for (const check of checks) {
    for (const answer of answers) expect(await isOk(check, answer), check.type).toBe(false);
  }
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(15);
});
