import { beforeEach, describe, expect, test } from 'vitest';
import { type AdaptBatchPorts, adaptBatch } from '#shared/adaptation/adapt-batch.ts';
import { type GenerateRequest, type ModelClient, ModelError } from '#shared/models/decide/port.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { Invocation } from '#shared/runs/run-worker.ts';
import type { BatchWork } from '#shared/runs/schema/run-context.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import {
  type ActiveRun,
  answerOf,
  endRunNow,
  linesOf,
  questionOf,
  startRun,
} from '#test/helpers/active-run.ts';
import { adaptingPorts } from '#test/helpers/adapting-ports.ts';
import { createFastClock } from '#test/helpers/fast-clock.ts';
import { GIF } from '#test/helpers/images.ts';
import { NOW } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let asked: GenerateRequest[];

beforeEach(() => {
  world = createWorld();
  asked = [];
});

const improving: ModelClient = {
  modelId: 'a-model',
  generate: async (request) => {
    asked.push(request);
    const row = /(?:question|answer) (\d+)/.exec(
      request.messages.map(({ content }) => content).join('\n'),
    )?.[1];
    return {
      text: `Give answer ${row} as soon as you know it: this is a much better and complete text about number ${row}.`,
      finishReason: 'stop',
      usage: { input_tokens: 7, output_tokens: 3 },
    };
  },
};

function work(
  batch: BatchWork | undefined,
  overrides: Partial<AdaptBatchPorts> = {},
  invocation: Partial<Invocation> = {},
) {
  if (batch === undefined) throw new Error('The plan has no such batch.');
  const clock = createFastClock(10);
  return adaptBatch(
    {
      ...adaptingPorts(world, improving, clock),
      ...overrides,
    },
    batch,
    { deadlineMs: clock.now() + 900_000, attempt: 'a', ...invocation },
  );
}

const resultsOf = ({ run }: ActiveRun, n: number): RunResult[] =>
  linesOf(world.objects.text(objectKeys.result(run.run_id, n))).map((line) => JSON.parse(line));
const only = { recipe_specification: { recipes: { prompt_rephrase: false } } };

test('a worker leaves one result for each row of its batch, in order, under its number', async () => {
  const active = await startRun(world, { rows: 200, chunkRows: 200, request: only });
  const [, second] = active.batches;

  expect(await work(second)).toEqual({ status: 'finished' });

  const rows = resultsOf(active, 1).map(({ row }) => row);
  expect(rows).toEqual(
    Array.from({ length: second?.row_count ?? 0 }, (_, place) => (second?.first_row ?? 0) + place),
  );
  expect(world.objects.keys().filter((key) => key.includes('/results/'))).toHaveLength(1);
});

describe('with several small batches', () => {
  const together = ({ batches: [first, ...also] }: ActiveRun): BatchWork | undefined =>
    first === undefined ? undefined : { ...first, also };

  test('a worker with several small batches works on them at once, within its calls, and leaves each its own result', async () => {
    const active = await startRun(world, { rows: 12, chunkRows: 1, request: only });
    let inProgress = 0;
    let most = 0;
    const slow: ModelClient = {
      modelId: 'a-model',
      generate: async (request) => {
        inProgress += 1;
        most = Math.max(most, inProgress);
        await new Promise((resolve) => setTimeout(resolve, 20));
        inProgress -= 1;
        return improving.generate(request);
      },
    };

    const models = { rewrite: slow, answer: slow, judge: null, embedder: null };
    expect(await work(together(active), { models })).toEqual({ status: 'finished' });

    expect(most).toBe(4);
    expect(active.batches.flatMap(({ n }) => resultsOf(active, n)).map(({ row }) => row)).toEqual(
      Array.from({ length: 12 }, (_, row) => row),
    );
  });

  test('a worker with several small batches searches for all of them within its one limit', async () => {
    const grounded = { ...only, brand_controls: { hallucination_mitigation: true } };
    const active = await startRun(world, { rows: 4, chunkRows: 1, request: grounded });
    let inProgress = 0;
    let most = 0;
    const search = async (query: string) => {
      inProgress += 1;
      most = Math.max(most, inProgress);
      await new Promise((resolve) => setTimeout(resolve, 20));
      inProgress -= 1;
      return [{ title: query, url: 'https://example.org', text: 'A fact.' }];
    };

    await work(together(active), { search: { provider: { search }, concurrencyMax: 1 } });

    expect(most).toBe(1);
    const sources = active.batches.flatMap(({ n }) => resultsOf(active, n)).map(({ sources }) => sources);
    expect(sources).toEqual(
      [0, 1, 2, 3].map((row) => [{ title: questionOf(row), url: 'https://example.org' }]),
    );
  });

  test('a worker with several small batches goes on with those that are not finished', async () => {
    const active = await startRun(world, { rows: 3, chunkRows: 1, request: only });
    await work(active.batches[1]);
    expect(await work(together(active), {}, { deadlineMs: createFastClock(10).now() + 1000 })).toEqual({
      status: 'unfinished',
    });
    expect(asked).toHaveLength(1);

    expect(await work(together(active))).toEqual({ status: 'finished' });

    expect(asked).toHaveLength(3);
  });

  test('a worker with several small batches ends the others before it throws because of one', async () => {
    const active = await startRun(world, { rows: 3, chunkRows: 1, request: only });
    await world.objects.remove([active.batches[0]?.chunk_key ?? '']);

    await expect(work(together(active))).rejects.toThrow('The chunk of batch 0');

    expect([1, 2].flatMap((n) => resultsOf(active, n)).map(({ row }) => row)).toEqual([1, 2]);
  });

  test('a worker with several small batches stops where the run has ended', async () => {
    const active = await startRun(world, { rows: 3, chunkRows: 1, request: only });
    await endRunNow(world, active, 'failed');

    expect(await work(together(active))).toEqual({ status: 'stopped' });

    expect(asked).toEqual([]);
  });
});

test('a worker asks nothing of rows that max_rows left out, and delivers them as they were', async () => {
  const active = await startRun(world, {
    rows: 40,
    request: { ...only, job_specification: { max_rows: 5 } },
  });

  for (const batch of active.batches) await work(batch);

  const results = active.batches.flatMap(({ n }) => resultsOf(active, n));
  const left = results.filter(({ outcome }) => outcome === 'not_selected');
  expect(results.length - left.length).toBe(5);
  expect(left[0]?.cells).toMatchObject({
    enhanced_prompt: expect.stringMatching(/^how do i answer question \d+$/),
  });
  expect(asked).toHaveLength(5);
});

test('a worker drops rows of which a check finds something, and asks nothing about them', async () => {
  const answers = [answerOf(0), 'write to ann@mail.acme.de', '', '2 + 2 = 5', answerOf(4)];
  const active = await startRun(world, {
    rows: 5,
    line: (row) => JSON.stringify({ question: questionOf(row), answer: answers[row] }),
    request: {
      recipe_specification: {
        recipes: { prompt_rephrase: false, lint: { drop: ['personal_data', 'arithmetic_wrong'] } },
      },
    },
  });

  await work(active.batches[0]);

  const results = resultsOf(active, 0);
  expect(results.map(({ outcome, reason }) => [outcome, reason?.code])).toEqual([
    ['changed', undefined],
    ['dropped', 'personal_data'],
    ['changed', undefined],
    ['dropped', 'arithmetic_wrong'],
    ['changed', undefined],
  ]);
  expect(results[1]).toMatchObject({ calls: 0, tokens: { input: 0, output: 0 } });
  expect(results[1]?.cells).toBeUndefined();
  expect(asked).toHaveLength(3);
});

test('a worker shows the model images of the dataset’s own files, and of no other dataset', async () => {
  const active = await startRun(world, {
    rows: 2,
    line: (row) => JSON.stringify({ question: `question ${row}`, note: row === 0 ? 'cat.gif' : 'dog.gif' }),
    request: { column_mapping: { prompt: 'question', image: 'note' }, ...only },
  });
  const image = Buffer.from(GIF, 'base64');
  await world.objects.write(objectKeys.file(active.dataset.dataset_id, 'cat.gif'), image, 'image/gif');
  await world.objects.write(objectKeys.file('another-dataset', 'dog.gif'), image, 'image/gif');

  await work(active.batches[0]);

  expect(resultsOf(active, 0)).toMatchObject([
    { outcome: 'changed' },
    {
      outcome: 'failed',
      reason: { code: 'image_missing' },
      cells: { enhanced_prompt: 'question 1' },
      calls: 0,
    },
  ]);
  expect(asked.map(({ messages }) => messages.at(-1)?.images)).toEqual([[`data:image/gif;base64,${GIF}`]]);
});

test('a worker reads no more of a file than shows that it is too large', async () => {
  const active = await startRun(world, {
    rows: 1,
    line: () => '{"question":"question 0","note":"huge.gif"}',
    request: { column_mapping: { prompt: 'question', image: 'note' }, ...only },
  });
  const key = objectKeys.file(active.dataset.dataset_id, 'huge.gif');
  await world.objects.write(
    key,
    Buffer.concat([Buffer.from(GIF, 'base64'), Buffer.alloc(9_000_000)]),
    'image/gif',
  );
  const reads: number[] = [];
  const objects = {
    ...world.objects,
    readRange: async (...range: [string, number, number]) => {
      const bytes = await world.objects.readRange(...range);
      reads.push(bytes.length);
      return bytes;
    },
  };

  await work(active.batches[0], { objects });

  expect(resultsOf(active, 0)).toMatchObject([{ outcome: 'failed', reason: { code: 'image_too_large' } }]);
  expect(reads).toEqual([5 * 1024 * 1024 + 1]);
});

test('a worker reports progress in rows that were to be processed', async () => {
  const active = await startRun(world, {
    rows: 40,
    request: { ...only, job_specification: { max_rows: 5 } },
  });

  for (const batch of active.batches) await work(batch);

  expect(await world.store.runs.readProcessedRows(active.run.run_id)).toBe(5);
});

test('a worker tells of each row that is done, once, and of a circuit that opened', async () => {
  const active = await startRun(world, { rows: 30, request: only });
  let rows = 0;
  let circuits = 0;
  const watch = { rowDone: () => (rows += 1), circuitOpened: () => (circuits += 1) };
  let calls = 0;
  const recovering: ModelClient = {
    ...improving,
    generate: async (request) => {
      calls += 1;
      if (calls <= 20) throw new ModelError('unavailable', 'It is down.', { retryAfterSeconds: 0.01 });
      return improving.generate(request);
    },
  };
  const models = { rewrite: recovering, answer: recovering, judge: null, embedder: null };

  for (const batch of active.batches) await work(batch, { models }, { watch });
  await work(active.batches[0], { models }, { watch });

  expect(rows).toBe(30);
  expect(circuits).toBe(1);
});

test('a worker says the blueprint and the length to the model, and the row only in fenced blocks', async () => {
  const active = await startRun(world, {
    rows: 1,
    request: { ...only, brand_controls: { blueprint: 'Speak like a pirate.', length: 'minimal' } },
  });

  await work(active.batches[0]);

  const [request] = asked;
  const [system] = request?.messages ?? [];
  const user = request?.messages.at(-1);
  expect(system?.content).toContain('Speak like a pirate.');
  expect(user?.content).toMatch(/<(data-[0-9a-f]{6}) request>\nhow do i answer question 0\n<\/\1>/);
  expect(system?.content).not.toContain('question 0');
});

test('a worker asks the judge blind where the run verifies and the judge was measured, and tells of a doubtful row', async () => {
  const figures = { asked: 120, right: 120, right_differed: 0, right_confirmed: 0 };
  const believed = { ...figures, wrong: 120, wrong_differed: 120, wrong_confirmed: 120 };
  const judge: ModelClient = {
    modelId: 'a-judge',
    generate: async (request) => {
      const generation = await improving.generate(request);
      const asks = request.jsonSchema?.name;
      const error = '{"verdict":"wrong","quote":"8","reason":"It is more."}';
      return { ...generation, text: asks === 'error' ? error : '12' };
    },
  };
  const verified = async (verification: 'flag' | 'correct', isMeasured: boolean) => {
    const active = await startRun(world, {
      rows: 8,
      line: (row) => `{"id":${row},"question":"How many legs have ${row} dogs? Digits only.","answer":"8"}`,
      request: { recipe_specification: { recipes: { prompt_rephrase: false, verification } } },
    });
    asked = [];
    await work(active.batches[0], {
      models: { rewrite: improving, answer: improving, judge, embedder: null },
      calibrations: {
        findCalibration: async () => null,
        findBlindCalibration: async (key) =>
          isMeasured ? { ...key, kinds: { number: believed, result: believed } } : null,
        findSafetyCalibration: async () => null,
      },
    });
    return { calls: asked.length, rows: resultsOf(active, 0) };
  };

  expect((await verified('flag', false)).calls).toBe(0);
  const { rows } = await verified('flag', true);
  expect(rows.map(({ outcome, notes }) => [outcome, notes?.map(({ code }) => code)])).toEqual(
    rows.map(() => ['kept', ['doubtful_answer']]),
  );
  // The critic that calls everything wrong confirms nothing.
  const corrected = await verified('correct', true);
  expect(corrected.rows.every(({ outcome }) => outcome === 'kept')).toBe(true);
  expect(corrected.calls).toBeGreaterThan(rows.length * 3);
});

describe('a worker of rows that are doubted', () => {
  const doubt = {
    probability: 0.9,
    reasons: [{ witness: 'neighbours' as const, kind: 'label_contradicted', message: 'Others say 12.' }],
  };
  const write = (active: ActiveRun, more: object = {}) =>
    world.objects.write(
      objectKeys.doubts(active.run.run_id),
      JSON.stringify({
        share_wrong: 0.1,
        looked_at: { execution: 0, neighbours: 8 },
        not_looked_at: 0,
        rows: [{ row: 2, ...doubt }],
        ...more,
      }),
      'application/json',
    );
  const start = (recipes: object, longRow: number | null = null) =>
    startRun(world, {
      rows: 8,
      line: (row) =>
        `{"id":${row},"question":"How many legs have ${row} dogs? Digits only.${row === longRow ? ' Think.'.repeat(10_000) : ''}","answer":"8"}`,
      request: { recipe_specification: { recipes: { prompt_rephrase: false, ...recipes } } },
    });
  const judging = (asked: string[]): Partial<AdaptBatchPorts> => {
    const figures = { asked: 120, right: 120, right_differed: 0, right_confirmed: 0 };
    const believed = { ...figures, wrong: 120, wrong_differed: 120, wrong_confirmed: 120 };
    const judge: ModelClient = {
      modelId: 'a-judge',
      generate: async (request) => {
        asked.push(request.messages.map(({ content }) => content).join('\n'));
        return { ...(await improving.generate(request)), text: '12' };
      },
    };
    return {
      models: { rewrite: improving, answer: improving, judge, embedder: null },
      calibrations: {
        findCalibration: async () => null,
        findBlindCalibration: async (key) => ({ ...key, kinds: { number: believed, result: believed } }),
        findSafetyCalibration: async () => null,
      },
    };
  };

  test('a worker of rows that are doubted tells of it by default, and asks nobody', async () => {
    const active = await start({});
    await write(active);
    const asked: string[] = [];
    await work(active.batches[0], judging(asked));

    const rows = resultsOf(active, 0);
    expect(rows.map(({ doubt: told }) => told)).toEqual(
      rows.map(({ row }) => (row === 2 ? doubt : undefined)),
    );
    expect(rows[2]?.notes).toMatchObject([{ code: 'doubtful_answer' }]);
    expect(rows[2]?.cells).not.toHaveProperty('doubt');
    expect(asked).toEqual([]);
  });

  test('a worker of rows that are doubted adds what a model says, and fills the columns', async () => {
    const active = await start({ verification: 'flag' });
    await write(active);
    await work(active.batches[0], judging([]));

    const rows = resultsOf(active, 0);
    expect(rows[2]?.doubt?.reasons.map(({ witness }) => witness)).toEqual(['neighbours', 'model']);
    expect(rows[2]?.doubt?.probability).toBeGreaterThan(rows[3]?.doubt?.probability ?? 1);
    expect(rows[2]?.cells?.doubt).toBe(String(rows[2]?.doubt?.probability));
    expect(rows[3]?.cells?.doubt_reasons).toContain('"12"');
  });

  test('a worker of rows that are doubted asks about the chosen rows alone', async () => {
    const active = await start({ verification: 'flag', verification_rows: 2 });
    await write(active, { asked: [2, 5] });
    const asked: string[] = [];
    await work(active.batches[0], judging(asked));

    const about = new Set(asked.map((text) => /have (\d) dogs/.exec(text)?.[1]));
    expect([...about].sort()).toEqual(['2', '5']);
  });

  test('a worker of rows that are doubted asks about none where nobody could choose', async () => {
    const active = await start({ verification: 'flag', verification_rows: 2 });
    const asked: string[] = [];
    await work(active.batches[0], judging(asked));

    expect(asked).toEqual([]);
  });

  test('a worker of rows that are doubted looks at no doubts where they are off', async () => {
    const active = await start({ verification: 'off' });
    await write(active);
    await work(active.batches[0], judging([]));

    expect(resultsOf(active, 0).some((result) => 'doubt' in result)).toBe(false);
  });

  test('a worker of rows that are doubted tells of it in rows that a pilot has left, too', async () => {
    const active = await start({ verification: 'flag' });
    await write(active);
    const left: RunResult = {
      row: 2,
      outcome: 'kept',
      reason: { code: 'no_change', message: 'It is fine.' },
      cells: { enhanced_prompt: 'q', enhanced_completion: '8' },
      tokens: { input: 0, output: 0 },
      calls: 0,
    };
    const key = `${objectKeys.checkpoints(active.run.run_id, 0)}reused.jsonl`;
    await world.objects.write(key, `${JSON.stringify(left)}\n`, 'application/jsonl');
    await work(active.batches[0], judging([]));

    expect(resultsOf(active, 0)[2]).toMatchObject({ ...left, doubt, cells: { doubt: '0.9' } });
  });

  test('a worker of rows that are doubted drops the doubtful ones where the run drops them, without a call for those of which no model is asked', async () => {
    const active = await start({ verification: 'drop', verification_rows: 2 });
    await write(active, { asked: [3, 5] });
    const asked: string[] = [];
    await work(active.batches[0], judging(asked));

    const rows = resultsOf(active, 0);
    // Of rows 3 and 5 the model says 12 each time; row 2 was doubted before, and nothing speaks against the others.
    expect(rows.map(({ outcome }) => outcome)).toEqual(
      rows.map(({ row }) => ([2, 3, 5].includes(row) ? 'dropped' : 'kept')),
    );
    expect(rows[2]).toEqual({
      row: 2,
      outcome: 'dropped',
      reason: { code: 'doubtful_answer', message: expect.stringContaining('Others say 12.') },
      tokens: { input: 0, output: 0 },
      calls: 0,
      seconds: 0,
    });
    expect(rows[3]).toMatchObject({ reason: { code: 'doubtful_answer' }, calls: expect.any(Number) });
    expect(rows[3]).not.toHaveProperty('cells');
    expect(new Set(asked.map((text) => /have (\d) dogs/.exec(text)?.[1]))).toEqual(new Set(['3', '5']));
  });

  test('a worker of rows that are doubted drops a doubtful one also if it fails', async () => {
    const active = await start({ verification: 'drop', verification_rows: 1 }, 2);
    await write(active, { asked: [2] });
    await work(active.batches[0], judging([]));

    expect(resultsOf(active, 0)[2]).toMatchObject({
      outcome: 'dropped',
      reason: { code: 'doubtful_answer' },
    });
  });

  test('a worker of rows that are doubted passes what is known of them where their safety is scored', async () => {
    const active = await startRun(world, {
      rows: 8,
      line: (row) => `{"id":${row},"question":"How many legs have ${row} dogs? Digits only.","answer":"8"}`,
      request: {
        recipe_specification: {
          recipes: { prompt_rephrase: false, verification: 'flag', verification_rows: 2 },
        },
        brand_controls: { safety_categories: ['hate'] },
      },
    });
    await write(active, { asked: [2, 5] });
    const asked: string[] = [];
    await work(active.batches[0], judging(asked));

    const blind = asked.filter((text) => !text.includes('"8"') && !/\b8\b/.test(text));
    expect(new Set(blind.map((text) => /have (\d) dogs/.exec(text)?.[1]))).toEqual(new Set(['2', '5']));
  });

  test('a worker of rows that are doubted fails a row with its doubt', async () => {
    const active = await start({}, 2);
    await write(active);
    await work(active.batches[0]);

    const rows = resultsOf(active, 0);
    expect(rows[2]).toMatchObject({ outcome: 'failed', doubt });
    // A run in which most rows fail is stopped before it has a result.
    expect(rows.filter(({ outcome }) => outcome === 'failed')).toHaveLength(1);
  });
});

test('a worker asks the judge for safety only where it was measured and is trusted, and says who scored', async () => {
  const judge: ModelClient = {
    ...improving,
    generate: async (request) => ({
      ...(await improving.generate(request)),
      text:
        request.jsonSchema?.name === 'safety'
          ? '{"request":[],"response":[{"category":"hate","severity":3}]}'
          : '{"winner":"B"}',
    }),
  };
  const request = { ...only, brand_controls: { safety_categories: ['hate' as const] } };
  const scored = async (agreement: number | null) => {
    const active = await startRun(world, { rows: 1, request });
    const calibration = { agreement, case_count: 12, unanswered: 0 } as never;
    await work(active.batches[0], {
      models: { rewrite: improving, answer: improving, judge, embedder: null },
      calibrations: {
        findCalibration: async () => null,
        findBlindCalibration: async () => null,
        findSafetyCalibration: async (key) =>
          agreement === null ? null : ({ ...key, ...(calibration as object) } as never),
      },
    });
    const [{ safety_scorer, cells } = { safety_scorer: '', cells: {} as Record<string, string | null> }] =
      resultsOf(active, 0);
    return [safety_scorer, JSON.parse(cells?.response_safety_issues ?? '{}').hate];
  };

  expect(await scored(0.9)).toEqual(['a-model (safety.v1)', 1]);
  expect(await scored(0.7)).toEqual(['safety-words.v1', 0]);
  expect(await scored(null)).toEqual(['safety-words.v1', 0]);
});

test('a worker searches for the sources of its rows with the provider that it is given', async () => {
  const active = await startRun(world, {
    rows: 2,
    request: { ...only, brand_controls: { hallucination_mitigation: true } },
  });
  const provider = {
    search: async (query: string) => [{ title: query, url: 'https://example.org', text: 'A fact.' }],
  };

  await work(active.batches[0], { search: { provider, concurrencyMax: 1 } });

  expect(resultsOf(active, 0).map(({ sources }) => sources)).toEqual([
    [{ title: questionOf(0), url: 'https://example.org' }],
    [{ title: questionOf(1), url: 'https://example.org' }],
  ]);
});

test('a worker comes back for the rest when its time is up', async () => {
  const active = await startRun(world, { rows: 25, request: only });

  const { status } = await work(active.batches[0], {}, { deadlineMs: 0 });

  expect(status).toBe('unfinished');
  expect(await work(active.batches[0])).toEqual({ status: 'finished' });
});

test('a worker stops where the run has ended meanwhile', async () => {
  const active = await startRun(world, { rows: 25, request: only });
  await world.endRun({
    dataset_id: active.dataset.dataset_id,
    run_id: active.run.run_id,
    error: { code: 'run_interrupted', message: 'm', level: 'error' },
    billedCredits: 0,
    now: NOW,
  });

  expect(await work(active.batches[0])).toEqual({ status: 'stopped' });
  expect(world.objects.keys().filter((key) => key.includes('/results/'))).toEqual([]);
});

test('a worker ends the run where the installation has no model for the work', async () => {
  const active = await startRun(world, { rows: 1 });
  const models = { rewrite: null, answer: null, judge: null, embedder: null };

  expect(await work(active.batches[0], { models })).toEqual({ status: 'stopped' });

  const run = await world.store.runs.find(active.dataset.dataset_id, active.run.run_id);
  expect(run?.stop_reason).toMatchObject({ code: 'model_unavailable' });
});

test('a worker does not begin on a chunk that lacks rows of its batch', async () => {
  const active = await startRun(world, { rows: 30 });
  await world.objects.write(objectKeys.rows(active.dataset.dataset_id, 0), '{"question":"q"}\n', 'x');

  await expect(work(active.batches[0])).rejects.toThrow('1 of its');
  expect(asked).toEqual([]);
});
