import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkAnswer } from '#lab/effect/check-answer.ts';
import { datasetsOf, loadRows } from '#lab/effect/load-rows.ts';
import { connectModels } from '#lab/effect/models.ts';
import { inputHash, type LabResult, openResults, readResults } from '#lab/effect/result.ts';
import type { LabRow } from '#lab/effect/row.ts';
import { runRows } from '#lab/effect/run-rows.ts';
import {
  answerFor,
  findRow,
  knownRows,
  readRequest,
  startScriptedEndpoint,
} from '#lab/effect/scripted-answers.ts';
import { wrongAnswerTo } from '#lab/effect/wrong-answers.ts';
import { improveAnswer } from '#shared/adaptation/decide/prompts/improve-answer.v2.ts';
import { DEFAULT_LENGTH } from '#shared/answers/decide/length.ts';

const directory = await mkdtemp(join(tmpdir(), 'tunesmith-effect-test-'));
afterAll(() => rm(directory, { recursive: true, force: true }));

const halves = await loadRows();
const all = [...halves.development, ...halves['held-out']];

const row = (fields: Partial<LabRow>): LabRow => ({
  id: 'number-1',
  kind: 'number',
  prompt: 'What is 2 + 3?',
  completion: '5',
  quality: 'good',
  reference: '5',
  check: { type: 'number', value: 5, tolerance: 0 },
  ...fields,
});

describe('rows are read', () => {
  const written = async (name: string, rows: readonly unknown[]) => {
    const root = await mkdtemp(join(directory, 'rows-'));
    await mkdir(join(root, 'development'));
    await writeFile(
      join(root, 'development', name),
      rows.map((value) => `${JSON.stringify(value)}\n\n`).join(''),
    );
    return root;
  };

  test('rows are read of both halves, and datasets put together', async () => {
    const rows = await loadRows(
      await written('number.jsonl', [row({}), row({ id: 'number-2', dataset: 'b' })]),
    );
    expect(rows['held-out']).toEqual([]);
    expect([...datasetsOf(rows.development)].map(([name, { length }]) => [name, length])).toEqual([
      ['number', 1],
      ['b', 1],
    ]);
  });

  test.each<[string, string, readonly unknown[]]>([
    ['an id that is taken', 'number-1 is taken', [row({}), row({})]],
    ['an id of another kind', 'line 1', [row({ id: 'code-1' })]],
    ['a field that is unknown', 'line 1', [{ ...row({}), extra: 1 }]],
    ['an expression that cannot be read', 'line 1', [row({ check: { type: 'pattern', pattern: '(' } })]],
    ['a history outside a dialogue', 'history', [row({ history: [] })]],
  ])('rows are read and refused for %s', async (_, message, rows) => {
    await expect(loadRows(await written('number.jsonl', rows))).rejects.toThrow(message);
  });
});

describe('a scripted model', () => {
  const requestOf = ({ prompt, completion, context, history = [] }: LabRow) =>
    readRequest({
      messages: [
        ...improveAnswer({
          history: history.map(({ role, content }) => ({ role, text: content })),
          prompt,
          draft: completion.trim(),
          context: context === undefined ? [] : [{ name: 'context', text: context }],
          length: DEFAULT_LENGTH,
          blueprint: null,
        }).messages.map(({ role, content }) => ({ role, content })),
      ],
    });

  test('a scripted model knows each row by what is asked about it', async () => {
    const known = await knownRows('strong', all);
    for (const one of all) {
      const found = findRow(known, requestOf(one));
      expect(found?.row.id).toBe(one.id);
      expect(found === null ? null : answerFor(found, requestOf(one))).toBe(one.reference);
    }
    const other = { messages: [{ role: 'user', content: 'What is a zeugma?' }] };
    expect(findRow(known, readRequest(other))).toBeNull();
  });

  test('a scripted model has a wrong answer to every row that its checker refuses', async () => {
    const missing: string[] = [];
    for (const members of datasetsOf(all).values()) {
      for (const one of members) {
        const wrong = await wrongAnswerTo(one, members);
        if (wrong === null || (await checkAnswer(one.check, wrong)).ok) missing.push(one.id);
      }
    }
    expect(missing).toEqual([]);
  }, 60_000);

  test('a scripted model is wrong about one row in five, and about the same ones each time', async () => {
    const known = await knownRows('confidently-wrong', all);
    const wrong = known.filter(({ isWrong }) => isWrong);
    expect(wrong.length / all.length).toBeGreaterThan(0.12);
    expect(wrong.length / all.length).toBeLessThan(0.28);
    expect(await knownRows('confidently-wrong', all)).toEqual(known);
  }, 60_000);

  test('answers in the shape that a schema asks for', async () => {
    const [known] = await knownRows('strong', [row({ reference: 'Yes', kind: 'yes_no', id: 'yes_no-1' })]);
    if (known === undefined) throw new Error('There is no row.');
    const ask = (properties: object, blocks: readonly (readonly [string, string])[]) =>
      JSON.parse(
        answerFor(known, {
          system: '',
          user: '',
          outside: '',
          blocks: new Map(blocks),
          schema: { type: 'object', properties: properties as never },
        }),
      );
    const winner = { winner: { type: 'string', enum: ['A', 'B'] } };
    expect(
      ask(winner, [
        ['A', 'No'],
        ['B', 'yes.'],
      ]),
    ).toEqual({ winner: 'B' });
    expect(ask({ answer: { enum: ['No', 'Yes'] } }, [])).toEqual({ answer: 'Yes' });
    expect(ask({ score: { type: 'integer', minimum: 0, maximum: 10 } }, [['answer', 'yes']])).toEqual({
      score: 10,
    });
    expect(ask({ ok: { type: 'boolean' }, list: { type: 'array' } }, [['answer', 'No']])).toEqual({
      ok: false,
      list: [],
    });
  });

  test('a scripted model continues and proofreads what it is shown', async () => {
    const reference = 'One two three. Four five.';
    const [known] = await knownRows('strong', [row({ reference })]);
    if (known === undefined) throw new Error('There is no row.');
    const ask = (system: string, answer: string) =>
      answerFor(known, {
        system,
        user: '',
        outside: '',
        blocks: new Map([['answer', answer]]),
        schema: null,
      });
    expect(ask('You finish answers that break off.', 'One two thr')).toBe('ee. Four five.');
    expect(ask('You finish answers that break off.', 'Zero two three.')).toBe('Four five.');
    expect(ask('You proofread answers.', 'its ok, u dont need it lol')).toBe("It's ok, you don't need it.");
  });
});

describe('rows are adapted', () => {
  const rows: LabRow[] = [
    row({}),
    row({ id: 'number-2', prompt: 'What is 2 + 4?', completion: '7', reference: '6', quality: 'wrong' }),
    row({
      id: 'dialogue-1',
      kind: 'dialogue',
      prompt: 'And the second one?',
      history: [{ role: 'user', content: 'Who was the first president?' }],
      completion: '',
      quality: 'empty',
      reference: 'The second president was John Adams.',
      check: { type: 'text', includes: ['Adams'] },
    }),
    row({
      id: 'long_context-1',
      kind: 'long_context',
      prompt: 'Who chaired?',
      context: 'Minutes: Mrs. Okafor chaired.',
      completion: 'The minutes say that Mrs. Okafor chaired the',
      quality: 'cut_off',
      reference: 'The minutes say that Mrs. Okafor chaired the meeting.',
      check: { type: 'text', includes: ['chaired the meeting'] },
    }),
  ];

  test("rows are adapted by the service's own program, and not again where a file holds them", async () => {
    const file = join(directory, 'results.jsonl');
    const endpoint = await startScriptedEndpoint('strong', rows);
    const { models, asking, close } = await connectModels(endpoint, {
      concurrency: 2,
      judgeFile: `${file}.judge`,
    });
    const run = async () => {
      const held = await readResults(file);
      const add = await openResults(file);
      const ran: string[] = [];
      await runRows({
        rows,
        isDone: (one) => held.rows.get(one.id)?.input_hash === inputHash(one),
        models,
        asking,
        concurrency: 2,
        async onResult(result) {
          if (result.type === 'row') ran.push(result.id);
          await add(result);
        },
      });
      return ran.sort();
    };
    try {
      expect(await run()).toEqual(['dialogue-1', 'long_context-1', 'number-1', 'number-2']);
      const { rows: results } = await readResults(file);
      const of = (id: string) => results.get(id) as LabResult;
      expect(of('number-1')).toMatchObject({
        outcome: 'kept',
        adapted: '5',
        before_ok: true,
        after_ok: true,
      });
      expect(of('dialogue-1')).toMatchObject({
        outcome: 'changed',
        reason: null,
        original: '',
        adapted: 'The second president was John Adams.',
        before_ok: false,
        after_ok: true,
        why: '',
      });
      expect(of('long_context-1')).toMatchObject({ outcome: 'changed', after_ok: true });
      expect(of('long_context-1').calls).toBeGreaterThan(0);
      expect(of('long_context-1').input_tokens).toBeGreaterThan(100);

      // A run that was ended leaves half a line, and a row that was edited since has to run again.
      await appendFile(file, '{"type":"row","id":"numb');
      rows[0] = row({ completion: 'five', quality: 'careless' });
      expect(await run()).toEqual(['number-1']);
      expect((await readResults(file)).rows.get('number-1')?.original).toBe('five');
      expect(await run()).toEqual([]);
    } finally {
      await close();
      await endpoint.stop();
    }
  });

  test('rows are adapted and rows that no model answers fail alone, while an outage ends the run', async () => {
    const endpoint = await startScriptedEndpoint('strong', rows);
    const file = join(directory, 'failing.jsonl');
    const { models, asking, close } = await connectModels(endpoint, { concurrency: 2, judgeFile: file });
    const results: LabResult[] = [];
    const onResult = async (result: { readonly type: string }) => {
      if (result.type === 'row') results.push(result as LabResult);
    };
    const short = { ...models, contextTokensMax: 10 };
    const options = { rows, isDone: () => false, asking, concurrency: 2, onResult };
    try {
      await runRows({ ...options, models: short });
      expect(results.map(({ outcome, reason }) => [outcome, reason])).toEqual(
        rows.map(() => ['failed', 'row_too_long']),
      );
      await endpoint.stop();
      await expect(
        runRows({ ...options, models, asking: { ...asking, outageSecondsMax: 0 } }),
      ).rejects.toThrow();
    } finally {
      await close();
    }
  });
});
