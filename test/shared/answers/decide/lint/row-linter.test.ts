import { describe, expect, test } from 'vitest';
import { codeFault } from '#shared/answers/decide/lint/code.ts';
import type { LintOptions } from '#shared/answers/decide/lint/options.ts';
import { createRowLinter } from '#shared/answers/decide/lint/row-linter.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';

const PATHS = { checks: 'checks', benchmarks: 'benchmarks', answer_schema: 'answer_schema' };
const both: Parameters<typeof createRowLinter>[0] = {
  mode: 'prompt_and_completion',
  mapping: { prompt: 'q', completion: 'a', context: [] },
};

function find(options: Partial<LintOptions>, q: string, a: string): string[] {
  const linter = createRowLinter(both, { checks: undefined, ...options }, PATHS, codeFault);
  const cells = new Map([
    ['q', q],
    ['a', a],
  ]);
  return linter.row(cells).map(({ check }) => check);
}

const SENTENCE =
  'The old lighthouse keeper counted seventeen grey ships before the morning fog came in slowly';

test('a row without fault has no findings', () => {
  expect(find({ benchmarks: [SENTENCE] }, 'Why?', 'Because it is so.')).toEqual([]);
});

test.each([
  ['Why?', '  \n', ['completion_empty']],
  ['Why?', '?!… — 🙂', ['completion_degenerate']],
  ['Why is it so?', 'Why is it so?', ['completion_degenerate']],
  ['Why?', 'caf\uFFFD au lait', ['completion_degenerate']],
  ['Why?', `a${'h'.repeat(30)}`, ['completion_degenerate']],
  ['Why?', 'I do not know. '.repeat(20), ['completion_degenerate']],
  ['为什么', '我不知道。'.repeat(20), ['completion_degenerate']],
])('a completion is empty or degenerate: %s %j', (q, a, checks) => {
  expect(find({}, q, a)).toEqual(checks);
});

test.each([
  ['yes', 'Yes.'],
  ['List them', Array.from({ length: 40 }, (_, n) => `item ${n} costs ${n * 3} euros`).join('\n')],
  ['Draw a line', `Here: ${'-'.repeat(80)}`],
])('a completion is empty or degenerate: but not %s', (q, a) => {
  expect(find({}, q, a)).toEqual([]);
});

describe('contamination', () => {
  const benchmarks = ['Too short to tell', SENTENCE, 'eight words are enough where nothing more is'];

  test('contamination is thirteen words of a benchmark in a row, whatever their case and marks', () => {
    const words = SENTENCE.split(' ');
    const thirteen = words.slice(2, 15).join(', ').toUpperCase();
    expect(find({ benchmarks }, `Well: ${thirteen}!`, 'No.')).toEqual(['contaminated']);
    expect(find({ benchmarks }, 'Go on', `He said ${thirteen}.`)).toEqual(['contaminated']);
    expect(find({ benchmarks }, words.slice(2, 14).join(' '), 'No.')).toEqual([]);
  });

  test('contamination is all of a benchmark that is shorter, but not of one of a few words', () => {
    expect(find({ benchmarks }, 'So eight words are enough where nothing more is here', 'No.')).toEqual([
      'contaminated',
    ]);
    expect(find({ benchmarks }, 'too short to tell', 'No.')).toEqual([]);
  });

  test('contamination names the benchmark and not its words', () => {
    const linter = createRowLinter(both, { checks: undefined, benchmarks }, PATHS, codeFault);
    const [finding] = linter.row(new Map([['q', SENTENCE]]));
    expect(finding?.check).toBe('completion_empty');
    const [, contaminated] = linter.row(new Map([['q', SENTENCE]]));
    expect(contaminated?.message).toContain('benchmark 1');
    expect(contaminated?.message).not.toContain('lighthouse');
  });
});

describe('answers by a schema', () => {
  const answer_schema = {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
    required: ['name'],
    additionalProperties: false,
  };

  test.each([
    ['{"name": "Ann", "age": 3}', []],
    ['Here it is:\n```json\n{"name": "Ann"}\n```', []],
    ['{"name": 3}', ['answer_invalid']],
    ['{"name": "Ann", "age": -1}', ['answer_invalid']],
    ['{"name": "Ann", "more": 1}', ['answer_invalid']],
    ['Ann', ['answer_invalid']],
    ['[1]', ['answer_invalid']],
    ['{"name": "Ann", "age": 1.5}', ['answer_invalid']],
  ])('a schema takes the answer %j, or says that it is invalid', (a, checks) => {
    expect(find({ answer_schema }, 'Who is it?', a)).toEqual(checks);
  });

  test.each([{ const: [] }, { enum: [[], 1] }])(
    'a schema refuses an answer that nests without end: %j',
    (answer_schema) => {
      const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;

      expect(find({ answer_schema }, 'Who is it?', deep)).toContain('answer_invalid');
    },
  );

  test.each([
    [{ type: 'string', pattern: '(a+)+$' }, /pattern/],
    [{ type: 'object', properties: { a: { patternProperties: {} } } }, /patternProperties/],
    [{ anyOf: [{ $ref: 'https://elsewhere.example/schema' }] }, /answer_schema\.anyOf\[0\]\.\$ref/],
    [{ type: 'nonsense' }, /answer_schema\.type/],
    [{ required: 'name' }, /answer_schema\.required/],
    [{ required: [['name']] }, /answer_schema\.required/],
    [{ enum: Array.from({ length: 5_000 }, (_, n) => n) }, /answer_schema: has more than 5000 rules/],
    [
      { allOf: Array.from({ length: 2_501 }, () => ({ minimum: 1 })) },
      /answer_schema: has more than 5000 rules/,
    ],
    [{ anyOf: Array.from({ length: 5_000 }, () => true) }, /answer_schema: has more than 5000 rules/],
    [
      { required: Array.from({ length: 5_000 }, (_, n) => `${n}`) },
      /answer_schema: has more than 5000 rules/,
    ],
    [{ minLength: '3' }, /answer_schema\.minLength/],
    [{ oneOf: [] }, /answer_schema\.oneOf/],
    [{ items: 3 }, /answer_schema\.items/],
  ])('the schema %j is refused', (schema, message) => {
    expect(() =>
      createRowLinter(both, { checks: undefined, answer_schema: schema }, PATHS, codeFault),
    ).toThrow(message);
  });

  const times = <T>(count: number, rule: T): T[] => Array.from({ length: count }, () => rule);
  test.each<[string, Record<string, unknown>]>([
    ['of rules', { items: { allOf: times(2_000, { minimum: 0 }) } }],
    ['of schemas that hold of nothing', { items: { anyOf: [...times(4_900, false), true] } }],
    ['of schemas that hold of everything', { items: { allOf: times(4_900, true) } }],
    ['of schemas of which one holds', { items: { oneOf: [...times(4_900, false), true] } }],
  ])(
    'a schema %s stops within an answer after ten million steps, and says that it is too large',
    (_, answer_schema) => {
      const many = JSON.stringify(Array.from({ length: 100_000 }, () => 1));
      const linter = createRowLinter(both, { checks: ['answer_invalid'], answer_schema }, PATHS, codeFault);
      const elapsed = startStopwatch();

      const found = linter.row(
        new Map([
          ['q', 'Which?'],
          ['a', many],
        ]),
      );

      expect(found[0]?.message).toContain('more than 10000000 steps');
      // Two hundred million steps would take half a minute.
      expect(elapsed()).toBeLessThan(10_000);
    },
  );

  test('a schema that names a type again and again looks at it once', () => {
    const answer_schema = { items: { type: [...times(500_000, 'null'), 'integer'] } };
    const linter = createRowLinter(both, { checks: ['answer_invalid'], answer_schema }, PATHS, codeFault);
    const elapsed = startStopwatch();

    const found = linter.row(
      new Map([
        ['q', 'Which?'],
        ['a', JSON.stringify(times(20_000, 1))],
      ]),
    );

    expect(found).toEqual([]);
    // Ten thousand million looks would take some twenty seconds.
    expect(elapsed()).toBeLessThan(5_000);
  });

  test.each([{ minLength: 3_000_000 }, { maxLength: 3_000_000 }, { const: 'x'.repeat(4_000_000) }])(
    'a rule of a long text takes no more than the text does',
    (rule) => {
      const rules = Array.from({ length: 1_000 }, () => rule);
      const linter = createRowLinter(
        both,
        { checks: ['answer_invalid'], answer_schema: { anyOf: rules } },
        PATHS,
        codeFault,
      );
      const elapsed = startStopwatch();
      linter.row(
        new Map([
          ['q', 'Which?'],
          ['a', JSON.stringify('é'.repeat(4_000_000))],
        ]),
      );

      expect(elapsed()).toBeLessThan(10_000);
    },
  );

  const shapes: [object, unknown[], unknown[]][] = [
    [{ type: ['string', 'null'] }, ['a', null], [1, {}]],
    [{ type: 'integer' }, [1, -2, 3.0], [1.5, '1']],
    [{ enum: [1, 'a', { b: [1, 2] }] }, [1, 'a', { b: [1, 2] }], [2, { b: [2, 1] }]],
    [{ const: { a: 1, b: 2 } }, [{ b: 2, a: 1 }], [{ a: 1 }]],
    [{ items: { type: 'number' }, minItems: 1, maxItems: 2 }, [[1], 'no list'], [[], [1, 2, 3], ['a']]],
    [{ minLength: 2, maxLength: 3 }, ['ab', '👍👍👍', 1], ['a', 'abcd']],
    [{ minimum: 1, exclusiveMaximum: 3 }, [1, 2.9, 'a'], [0, 3]],
    [{ maximum: 1, exclusiveMinimum: 0 }, [1], [0, 2]],
    [{ anyOf: [{ type: 'string' }, { minimum: 3 }] }, ['a', 3], [2]],
    [{ oneOf: [{ minimum: 1 }, { minimum: 3 }] }, [2], [0, 3]],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1], [3]],
    [
      { additionalProperties: { type: 'number' }, properties: { a: true, b: false } },
      [{ a: 'x', c: 1 }],
      [{ c: 'x' }, { b: 1 }],
    ],
    [{ title: 'Anything', description: 'at all' }, [1], []],
  ];
  test.each(shapes)('the schema %j takes some values and no others', (schema, valid, invalid) => {
    const options = { answer_schema: schema as Record<string, unknown>, checks: ['answer_invalid' as const] };
    for (const value of valid)
      expect(find(options, 'Which?', JSON.stringify(value)), JSON.stringify(value)).toEqual([]);
    for (const value of invalid) {
      expect(find(options, 'Which?', JSON.stringify(value)), JSON.stringify(value)).toEqual([
        'answer_invalid',
      ]);
    }
  });

  test('a property of a schema may be called pattern', () => {
    const schema = { type: 'object', properties: { pattern: { type: 'string' } } };
    expect(find({ answer_schema: schema }, 'Who?', '{"pattern": "x"}')).toEqual([]);
  });
});

test('personal data are found in prompts, completions and context, and never repeated', () => {
  const spec = { ...both, mapping: { ...both.mapping, context: ['note'] } };
  const linter = createRowLinter(spec, { checks: ['personal_data'] }, PATHS, codeFault);
  for (const column of ['q', 'a', 'note']) {
    const cells = new Map([
      ['q', 'Who?'],
      ['a', 'Ann'],
      [column, 'ann@mail.acme.de'],
    ]);
    const [finding] = linter.row(cells);
    expect(finding).toMatchObject({ check: 'personal_data', message: expect.stringContaining('email') });
    expect(finding?.message).not.toContain('acme');
  }
});

test.each<[string, Partial<LintOptions>, string]>([
  ['a check without its benchmarks', { checks: ['contaminated'] }, 'benchmarks'],
  ['a check without its schema', { checks: ['answer_invalid'] }, 'answer_schema'],
  ['benchmarks that no check reads', { checks: ['completion_empty'], benchmarks: ['x'] }, 'benchmarks'],
  ['a schema that no check reads', { checks: ['completion_empty'], answer_schema: {} }, 'answer_schema'],
])('options are refused: %s', (_, options, path) => {
  expect(() => createRowLinter(both, { checks: undefined, ...options }, PATHS, codeFault)).toThrow(
    expect.objectContaining({ code: 'invalid_request', details: [expect.objectContaining({ path })] }),
  );
});

test('a check of completions where none is mapped; without being asked it is left out', () => {
  const spec = { mode: 'prompt_only' as const, mapping: { prompt: 'q', context: [] } };
  expect(() => createRowLinter(spec, { checks: ['completion_empty'] }, PATHS, codeFault)).toThrow(
    /none are mapped/,
  );
  expect(createRowLinter(spec, { checks: undefined }, PATHS, codeFault).checks).toEqual(['personal_data']);
});
