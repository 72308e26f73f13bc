import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readProgram } from '#shared/witnesses/decide/execution/read-code.ts';
import { readExamples } from '#shared/witnesses/decide/execution/read-examples.ts';
import { readJob } from '#shared/witnesses/decide/execution/read-job.ts';

const PYTHON = 'def f(n, m=0):\n    return n + 1\n';
const JAVASCRIPT = '```js\nfunction f(n) {\n  return n + 1;\n}\n```';

/** The examples of a prompt, as `expression = literal`. */
function examplesIn(prompt: string, completion = PYTHON): string[] {
  const program = readProgram({ prompt, completion, context: '' });
  if (program === null) throw new Error('no program');
  return readExamples(program, prompt).flatMap((check) =>
    check.type === 'example' ? [`${check.expression} = ${check.raises ?? check.literal ?? '?'}`] : [],
  );
}

describe('examples of calls', () => {
  test.each([
    ['f(1) == 2', 'f(1) = 2'],
    ['f(1) ➞ 2', 'f(1) = 2'],
    ['f(1) ==> "a"', 'f(1) = "a"'],
    ['f(1) => [1, 2]', 'f(1) = [1, 2]'],
    ['f(1) -> (1, 2)  # a pair', 'f(1) = (1, 2)'],
    ['* f([1]) = {"a": 1}', 'f([1]) = {"a": 1}'],
    ['f(1) returns 2.', 'f(1) = 2'],
    ['`f(1)` returns `2`', 'f(1) = 2'],
    ['For example, f(1) should return 2', 'f(1) = 2'],
    ['f(1)  # => 2', 'f(1) = 2'],
    ['f(-1.5, m=2)  # returns None', 'f(-1.5, m=2) = None'],
    ['assert f(1) == 2, "no"', 'f(1) = 2'],
    ['print(f(1))  # Output: 2', 'f(1) = 2'],
    ['f(1) => true', 'f(1) = true'],
    ['f([1,\n  2]) == 3', 'f([1,\n  2]) = 3'],
    ['f(0) raises ValueError', 'f(0) = ValueError'],
    ['f(") == (") == "a\\"b"', 'f(") == (") = "a\\"b"'],
  ])('the example %j reads as %j', (text, expected) => {
    expect(examplesIn(text)).toEqual([expected]);
  });

  test('several examples on a line are each read', () => {
    expect(examplesIn('f(1) == 2, f(2) == 3 and f(3) == 4')).toEqual(['f(1) = 2', 'f(2) = 3', 'f(3) = 4']);
  });

  test.each([
    ['a result that is a name', 'f(1) => two'],
    ['an argument that is a name', 'f(abc) => 2'],
    ['a result that goes on', 'f(2) = 1 + (2 / 2) = 2'],
    ['a string that is broken', 'f(["aa"]) == ""aa"'],
    ['a negation', 'f(1) should not return 2'],
    ['a condition', 'if f(1) == 2: pass'],
    ['an assignment', 'x = f(1) == 2'],
    ['another function', 'g(1) == 2'],
    ['a call of a call', 'g(f(1)) == 2'],
    ['a choice', 'f(1) returns 2 or 3'],
    ['a result that is not wanted', 'f(1) returns 2 but should return 3'],
    ['a result beside the expected one', 'print(f(1))  # prints 2, expected 3'],
    ['a result that came in place of another', 'f(1) == 2 (I want 3)'],
    ['a result on the next line', 'f(1)\n2'],
    ['a method', 'x.f(1) == 2'],
  ])('%s is no example', (_, text) => {
    expect(examplesIn(text)).toEqual([]);
  });

  test('values of a recurrence are no examples, and asserted ones are', () => {
    const text = 'f(1) = 3\nf(n) = 1 + n / 2\nf(3) = [1, 3]\nassert f(2) == 3';

    expect(examplesIn(text)).toEqual(['f(2) = 3']);
  });

  test('two results of one call contradict each other, and neither counts', () => {
    expect(examplesIn('f(1) == 2\nf(1) == 3\nf(2) == 3')).toEqual(['f(2) = 3']);
  });

  test.each([
    ['f(1) === 2', 'f(1) = 2'],
    ['console.log(f(1)); // 2', 'f(1) = 2'],
    ['f(1) // => 2', 'f(1) = 2'],
    ['assert.deepStrictEqual(f(1), { a: [1] })', 'f(1) = { a: [1] }'],
    ['expect(f(1)).toEqual([undefined])', 'f(1) = [undefined]'],
  ])('the JavaScript example %j reads as %j', (text, expected) => {
    expect(examplesIn(text, JAVASCRIPT)).toEqual([expected]);
  });
});

describe('sessions', () => {
  test('a doctest reads as its expression and its output', () => {
    expect(
      examplesIn('    >>> f(1)\n    2\n    >>> round(f(1.26), 1) # rounded\n    2.3\n\n    Prose.'),
    ).toEqual(['f(1) = 2', 'round(f(1.26), 1) = 2.3']);
  });

  test('a doctest whose output is an exception expects it', () => {
    expect(examplesIn('>>> f("a")\nTraceback (most recent call last):\n  ...\nTypeError: no')).toEqual([
      'f("a") = TypeError',
    ]);
  });

  test('prose that follows an output is no part of it', () => {
    expect(examplesIn('>>> f(1)\n2\nThis adds one.')).toEqual(['f(1) = 2']);
  });

  test('a comparison without an output is marked as never run', () => {
    const program = readProgram({ prompt: '', completion: PYTHON, context: '' });

    expect(program && readExamples(program, '>>> f(1) == 2\n>>> f(2) == 3')).toMatchObject([
      { type: 'example', notation: 'unrun', expression: 'f(1)', literal: '2' },
      { type: 'example', notation: 'unrun', expression: 'f(2)', literal: '3' },
    ]);
  });

  test('a statement is kept for the examples below it', () => {
    const program = readProgram({ prompt: '', completion: PYTHON, context: '' });

    expect(program && readExamples(program, '>>> x = 1\n>>> f(x)\n2')).toMatchObject([
      { type: 'setup', code: 'x = 1' },
      { type: 'example', expression: 'f(x)', literal: '2' },
    ]);
  });
});

describe('examples of prose', () => {
  test.each([
    ['For n = 1 the output should be 2', 'f(1) = 2'],
    ['For n = "a", m = 2, the result should be (\'b\', False)', 'f("a", 2) = (\'b\', False)'],
    ['Input: n = [1, 2], m = 3\nOutput: [2]', 'f([1, 2], 3) = [2]'],
    ['Input: [4,2,3]\n        Output: [2, 1]\n        Explanation: so.', 'f([4,2,3]) = [2, 1]'],
    ['For n = 1000, the sum will be 1 the output should be "1".', 'f(1000) = "1"'],
  ])('the prose %j reads as %j', (text, expected) => {
    expect(examplesIn(text)).toEqual([expected]);
  });

  test.each([
    ['names that are no parameters', 'For x = 1 the output should be 2'],
    ['several values of one input', 'Input: 1 2 3\nOutput: 6'],
    ['no output', 'For n = 1 nothing happens'],
  ])('prose with %s is no example', (_, text) => {
    expect(examplesIn(text)).toEqual([]);
  });
});

const CODE_PARTS = [
  ...[
    'f(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '\\',
    '\n',
    '>>> ',
    '... ',
    ' == ',
    ' => ',
    ' = ',
    ', ',
    '#',
    '//',
  ],
  ...[
    '1',
    '2.5',
    'abc',
    'def f(n):\n    return n\n',
    '```python\n',
    '```\n',
    'Input: ',
    'n = ',
    'Output: ',
    'assert ',
  ],
  ...[
    'Traceback',
    'create table t(a int);',
    'select a from t',
    '`',
    'function f(n) { return n }',
    '\u2028',
    '\ud800',
    '🙂',
  ],
];
const codeText = fc.array(fc.constantFrom(...CODE_PARTS), { maxLength: 40 }).map((parts) => parts.join(''));

test('no text of a row makes the reading throw', () => {
  const text = fc.oneof(codeText, fc.string({ unit: 'binary', maxLength: 60 }));
  fc.assert(
    fc.property(text, text, text, (prompt, completion, context) => {
      readJob({ prompt, completion, context });
      readJob({ prompt, completion: `${PYTHON}${completion}`, context });
      readJob({ prompt, completion: `def f(n):\n    return n\n`, context: prompt });
    }),
    { numRuns: 500 },
  );
});

test('a literal and a call read back as they were written', () => {
  const value = fc.jsonValue({ maxDepth: 2 }).map((each) => JSON.stringify(each));
  fc.assert(
    fc.property(value, value, (given, expected) => {
      // Text with triple quotes is taken for a docstring, whose escapes are its own.
      fc.pre(!/[\u2028\u2029]|__proto__|'''|"""/.test(given + expected));
      const [example] = examplesIn(`f(${given}) == ${expected}`, JAVASCRIPT);
      expect(example).toBe(`f(${given}) = ${expected}`);
    }),
    { numRuns: 200 },
  );
});
