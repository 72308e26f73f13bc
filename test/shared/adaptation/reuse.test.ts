import { beforeEach, describe, expect, test } from 'vitest';
import { handler as appendRows } from '#functions/api/datasets/rows/append.ts';
import { type AdaptBatchPorts, adaptBatch } from '#shared/adaptation/adapt-batch.ts';
import { fingerprintOf } from '#shared/adaptation/decide/fingerprint.ts';
import { chunkIdOf } from '#shared/adaptation/decide/reuse.ts';
import type { PilotedArm } from '#shared/adaptation/launch-adaptation.ts';
import { REUSE_BYTES_MAX } from '#shared/adaptation/record-calls.ts';
import type { AdaptRequest, RunQuote } from '#shared/adaptation/schema/adaptation.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { eraseDataset } from '#shared/lifecycle/erase-dataset.ts';
import type { GenerateRequest, ModelClient } from '#shared/models/decide/port.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { BatchPlan, RunContext } from '#shared/runs/schema/run-context.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import {
  lineOf,
  linesOf,
  readPlan,
  seedQuestions,
  writeResults,
  writeRows,
} from '#test/helpers/active-run.ts';
import { adaptingPorts } from '#test/helpers/adapting-ports.ts';
import { createFastClock } from '#test/helpers/fast-clock.ts';
import { landAppend } from '#test/helpers/ingesting.ts';
import { assembleRun, endAdaptation, launchAdaptation, planAdaptation } from '#test/helpers/operations.ts';
import { NOW, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { faultsOf } from '#test/helpers/store-contract.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const SETTINGS = {
  MODEL_ID_REWRITE: 'a-model',
  MODEL_ID_ANSWER: 'a-model',
  MODEL_ID_JUDGE: '',
  MODEL_ID_EMBED: '',
  MODEL_CONCURRENCY: '1',
  SEARCH_BASE_URL: 'http://search.test',
};

let world: World;
let owner: Caller;
let asked: GenerateRequest[];
let minutes: number;
let answers: number;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 1000);
  asked = [];
  minutes = 0;
  answers = 0;
});

const textOf = ({ messages }: GenerateRequest): string => messages.map(({ content }) => content).join('\n');

/** Improves every text; no two answers are the same. */
const improving: ModelClient = {
  modelId: 'a-model',
  generate: async (request) => {
    asked.push(request);
    answers += 1;
    const row = /(?:question|answer) (\d+)/.exec(textOf(request))?.[1];
    return {
      text: `Give answer ${row} as soon as you know it: this is a much better and complete text about number ${row}, in its wording ${answers}.`,
      finishReason: 'stop',
      usage: { input_tokens: 7, output_tokens: 3 },
    };
  },
};

const CANCELLED = {
  error: { code: 'run_cancelled', message: 'm', level: 'error' },
  billedCredits: 0,
  now: NOW,
} as const;
const only = { recipe_specification: { recipes: { prompt_rephrase: false } } };
const askedRows = (): number[] =>
  [...new Set(asked.map((request) => Number(/(?:question|answer) (\d+)/.exec(textOf(request))?.[1])))].sort(
    (a, b) => a - b,
  );

const newDataset = (rows: number, chunkRows = rows): Promise<DatasetRecord> =>
  seedQuestions(world, owner, rows, { chunkRows });

/** Appends rows as a caller does. */
async function append(dataset_id: string, from: number, to: number): Promise<void> {
  const rows = Array.from({ length: to - from }, (_, n) => JSON.parse(lineOf(from + n)));
  const { body } = await world.call(appendRows, { as: owner, params: { dataset_id }, body: { rows } });
  await landAppend(world, dataset_id, body.append_id);
}

interface Launched {
  readonly quote: RunQuote;
  readonly context: RunContext;
  readonly batches: readonly BatchPlan[];
}

const ask = (datasetId: string, request: Partial<AdaptRequest>, piloted?: PilotedArm): Promise<RunQuote> =>
  world.installed(SETTINGS)(launchAdaptation)({
    caller: owner,
    datasetId,
    route: 'adapt',
    request: { column_mapping: { prompt: 'question', completion: 'answer' }, ...request },
    ...(piloted === undefined ? {} : { piloted }),
    now: NOW + minutes * 60_000,
  });

async function launch(
  datasetId: string,
  request: Partial<AdaptRequest> = only,
  piloted?: PilotedArm,
): Promise<Launched> {
  minutes += 10;
  const quote = await ask(datasetId, request, piloted);
  const context = { run_id: quote.run_id ?? '', dataset_id: datasetId, team_id: owner.team_id };
  await world.installed(SETTINGS)(planAdaptation)(context);
  return { quote, context, batches: readPlan(world, context.run_id) };
}

function work(batch: BatchPlan | undefined, overrides: Partial<AdaptBatchPorts> = {}, deadlineMs?: number) {
  if (batch === undefined) throw new Error('The plan has no such batch.');
  const clock = createFastClock(10);
  return adaptBatch(
    {
      ...adaptingPorts(world, improving, clock),
      ...overrides,
    },
    batch,
    { deadlineMs: deadlineMs ?? clock.now() + 900_000, attempt: 'a' },
  );
}

async function finish({ context }: Launched): Promise<RunRecord> {
  const use = world.installed(SETTINGS);
  const now = NOW + minutes * 60_000 + 60_000;
  await use(assembleRun)(context, now);
  return use(endAdaptation)(context, null, now);
}

const resultsOf = ({ context, batches }: Launched): RunResult[] =>
  batches.flatMap(({ n }) =>
    linesOf(world.objects.text(objectKeys.result(context.run_id, n))).map((line) => JSON.parse(line)),
  );

interface Ended extends Launched {
  readonly run: RunRecord;
  readonly results: readonly RunResult[];
  /** Requests to models. */
  readonly requests: number;
}

async function adapt(
  datasetId: string,
  request: Partial<AdaptRequest> = only,
  overrides: Partial<AdaptBatchPorts> = {},
  piloted?: PilotedArm,
): Promise<Ended> {
  asked = [];
  const launched = await launch(datasetId, request, piloted);
  for (const batch of launched.batches) {
    expect(await work(batch, overrides)).toEqual({ status: 'finished' });
  }
  const run = await finish(launched);
  return { ...launched, run, results: resultsOf(launched), requests: asked.length };
}

const cellsOf = ({ results }: Ended) => results.map(({ cells }) => cells);
const reuseKeys = (): string[] => world.objects.keys().filter((key) => key.startsWith('reuse/'));
const callKeys = (): string[] => reuseKeys().filter((key) => key.endsWith('.jsonl'));

test('a second run with the same settings asks no model, bills nothing, and delivers the same cells', async () => {
  const { dataset_id } = await newDataset(250, 100);
  const first = await adapt(dataset_id);

  const second = await adapt(dataset_id);

  expect(first.run.settled_credits).toBe(3);
  expect(first.requests).toBe(250);
  expect(second.requests).toBe(0);
  expect(cellsOf(second)).toEqual(cellsOf(first));
  expect(second.run).toMatchObject({ reserved_credits: 0, settled_credits: 0 });
  expect(second.quote).toMatchObject({
    estimatedCreditsConsumed: 0,
    reused_rows: 250,
    notes: ['250 rows are unchanged since an earlier run and cost nothing again.'],
  });
  expect(second.quote.estimatedMinutes).toBeLessThan(first.quote.estimatedMinutes);
  expect(second.results.every(({ reused, calls }) => reused === true && calls === 0)).toBe(true);
  expect(await faultsOf(world.store, owner.team_id)).toEqual([]);
});

test('a second run with the same settings says how many rows are reused in an estimate and in its report, and the first run says none', async () => {
  const { dataset_id } = await newDataset(30);
  const estimated = await ask(dataset_id, { ...only, estimate: true });
  const first = await adapt(dataset_id);

  const again = await ask(dataset_id, { ...only, estimate: true });
  const second = await adapt(dataset_id);

  expect(estimated.reused_rows).toBeUndefined();
  expect(again).toMatchObject({ run_id: null, reused_rows: 30, estimatedCreditsConsumed: 0 });
  const reused = [first, second].map(
    ({ context }) => JSON.parse(world.objects.text(objectKeys.report(context.run_id))).reused,
  );
  expect(reused).toEqual([0, 30]);
});

test('a second run with the same settings asks about appended rows alone, bills them, and leaves the rows before as they were', async () => {
  const { dataset_id } = await newDataset(300, 100);
  const first = await adapt(dataset_id);
  await append(dataset_id, 300, 400);

  const second = await adapt(dataset_id);

  expect(askedRows()).toEqual(Array.from({ length: 100 }, (_, n) => 300 + n));
  expect(second.requests).toBe(100);
  expect(second.quote).toMatchObject({ reused_rows: 300, estimatedCreditsConsumed: 1 });
  expect(second.run.settled_credits).toBe(1);
  expect(cellsOf(second).slice(0, 300)).toEqual(cellsOf(first));
  expect(second.results.filter(({ reused }) => reused).map(({ row }) => row)).toEqual(
    Array.from({ length: 300 }, (_, row) => row),
  );
});

test('a second run with the same settings asks nothing about rows that the run before it took over from a pilot', async () => {
  const { dataset_id } = await newDataset(40);
  const first = await launch(dataset_id);
  const [batch] = first.batches;
  // An arm of a pilot works on a sample of its own, with the request of the arm.
  const sample = 'runs/pilot/pilot/sample.jsonl';
  const lines = Array.from({ length: 10 }, (_, n) => `${lineOf(n + 5)}\n`);
  await world.objects.write(sample, lines.join(''), 'application/jsonl');
  asked = [];
  const arm = { ...(batch as BatchPlan), n: 99, row_count: 10, chunk_key: sample };
  await work({ ...arm, request_key: objectKeys.runRequest(first.context.run_id) });
  expect(asked).toHaveLength(10);
  expect(callKeys()).toEqual([]);
  const results = linesOf(world.objects.text(objectKeys.result(first.context.run_id, 99))).map((line) => {
    const result = JSON.parse(line);
    return { ...result, row: result.row + 5 };
  });
  await writeResults(world, 'runs/pilot/arm.jsonl', results);
  await world.endRun({ dataset_id, run_id: first.context.run_id, ...CANCELLED });

  const piloted = { pilot_id: 'pilot', results_key: 'runs/pilot/arm.jsonl', rows: 10 };
  const fingerprint = fingerprintOf((await world.store.datasets.find(dataset_id)) as DatasetRecord);
  const winner = await adapt(dataset_id, only, {}, { ...piloted, fingerprint });
  expect(winner.requests).toBe(30);
  await append(dataset_id, 40, 60);
  const last = await adapt(dataset_id);

  expect(askedRows()).toEqual(Array.from({ length: 20 }, (_, n) => 40 + n));
  expect(last.quote).toMatchObject({ reused_rows: 40, estimatedCreditsConsumed: 1 });
  expect(cellsOf(last).slice(0, 40)).toEqual(cellsOf(winner));
});

test('a second run with the same settings stores no recorded calls again', async () => {
  const { dataset_id } = await newDataset(40);
  await adapt(dataset_id);
  const before = callKeys();

  await adapt(dataset_id);

  expect(before).toHaveLength(1);
  expect(callKeys()).toEqual(before);
});

test('a second run with the same settings of a sample costs what is certain to be new', async () => {
  const { dataset_id } = await newDataset(400);
  const sample = (max_rows: number) => ({ ...only, job_specification: { max_rows } });
  await adapt(dataset_id, sample(200));

  const smaller = await adapt(dataset_id, sample(100));
  const whole = await adapt(dataset_id);

  // The sample of 100 can be of the 200 other rows, as far as the quote knows.
  expect(smaller.quote.reused_rows).toBeUndefined();
  expect(smaller.run.settled_credits).toBeLessThanOrEqual(1);
  expect(whole.quote).toMatchObject({ reused_rows: 200, estimatedCreditsConsumed: 2 });
  expect(whole.run.settled_credits ?? 9).toBeLessThanOrEqual(2);
});

describe('a run that ends before a batch is complete', () => {
  /** Stops the worker of the batch after some rows, and ends the run. */
  async function interrupt(launched: Launched, rows: number): Promise<RunRecord> {
    const [batch] = launched.batches;
    const failing: ModelClient = {
      modelId: 'a-model',
      generate: async (request) => {
        if (asked.length >= rows) throw new Error('The worker was killed.');
        return improving.generate(request);
      },
    };
    const models = { rewrite: failing, answer: failing, judge: null, embedder: null };
    await expect(work(batch, { models, callsPerWorker: 1 })).rejects.toThrow('killed');
    const now = NOW + minutes * 60_000 + 60_000;
    return world.installed(SETTINGS)(endAdaptation)(launched.context, CANCELLED.error, now);
  }

  test('a run that ends before a batch is complete leaves the calls of its delivered rows to the next run, which bills the others alone', async () => {
    const { dataset_id } = await newDataset(200);
    const { batches, ...launched } = await launch(dataset_id);
    const first = { ...launched, batches: batches.slice(0, 1) };
    const ended = await interrupt(first, 60);
    asked = [];

    const second = await adapt(dataset_id);

    expect(ended).toMatchObject({ counts: { changed: 60, failed: 140 }, settled_credits: 1 });
    expect(resultsOf(first)).toHaveLength(60);
    expect(world.objects.text(objectKeys.result(first.context.run_id, 0))).not.toContain('recorded');
    expect(askedRows()).toEqual(Array.from({ length: 140 }, (_, n) => 60 + n));
    expect(second.quote).toMatchObject({ reused_rows: 60, estimatedCreditsConsumed: 2 });
    expect(second.run.settled_credits).toBe(2);
    expect(cellsOf(second).slice(0, 60)).toEqual(resultsOf(first).map(({ cells }) => cells));
    expect(await faultsOf(world.store, owner.team_id)).toEqual([]);
  });

  test('a run that ends before a batch is complete leaves nothing when its dataset is deleted', async () => {
    const { dataset_id } = await newDataset(30);
    await interrupt(await launch(dataset_id), 10);
    expect(callKeys()).toHaveLength(1);

    await eraseDataset(
      {
        ...world.store,
        objects: world.objects,
        listCopies: async () => [],
        retireDeployment: async () => null,
      },
      dataset_id,
      NOW,
    );

    expect(reuseKeys()).toEqual([]);
  });
});

test('a run with other settings keeps the prompts if only the length of answers changed, and bills the rows', async () => {
  const { dataset_id } = await newDataset(40);
  const rephrased = await adapt(dataset_id, {});
  const prompts = asked.filter((request) => !textOf(request).includes('just give answer'));

  const longer = await adapt(dataset_id, { brand_controls: { length: 'extensive' } });

  expect(prompts.length).toBeGreaterThanOrEqual(40);
  const again = new Set(prompts.map((request) => JSON.stringify(request)));
  expect(asked.filter((request) => again.has(JSON.stringify(request)))).toEqual([]);
  expect(asked.length).toBeGreaterThanOrEqual(40);
  expect(longer.results.map(({ cells }) => cells?.enhanced_prompt)).toEqual(
    rephrased.results.map(({ cells }) => cells?.enhanced_prompt),
  );
  expect(longer.quote.reused_rows).toBeUndefined();
  expect(longer.run.settled_credits).toBe(1);
});

test('a run with other settings leaves the calls of the first settings to a third run', async () => {
  const { dataset_id } = await newDataset(20);
  const first = await adapt(dataset_id, {});
  await adapt(dataset_id, { brand_controls: { length: 'extensive' } });

  const third = await adapt(dataset_id, {});

  expect(third.requests).toBe(0);
  expect(cellsOf(third)).toEqual(cellsOf(first));
});

test('a run with other settings does not push the calls of the first settings out of what a worker reads', async () => {
  const { dataset_id } = await newDataset(20);
  await adapt(dataset_id, {});
  await adapt(dataset_id, { brand_controls: { length: 'extensive' } });
  const objects = {
    ...world.objects,
    // Every recording is so large that a worker reads one alone.
    listSizes: async function* (prefix: string) {
      for await (const listed of world.objects.listSizes(prefix)) yield { ...listed, bytes: REUSE_BYTES_MAX };
    },
  };

  const third = await adapt(dataset_id, {}, { objects });

  expect(third.quote).toMatchObject({ reused_rows: 20, estimatedCreditsConsumed: 0 });
  expect(third.requests).toBe(0);
});

test('a run with other settings is promised what it keeps itself, though other settings left it first', async () => {
  const { dataset_id } = await newDataset(20);
  const harmful = (categories: readonly ('hate' | 'sexual')[]) => ({
    ...only,
    brand_controls: { safety_categories: [...categories] },
  });
  await adapt(dataset_id);
  const before = callKeys();

  // Without an embedding model, scoring asks no model: the calls are those of the first run.
  const second = await adapt(dataset_id, harmful(['hate', 'sexual']));
  const own = callKeys().filter((key) => !before.includes(key));
  const third = await ask(dataset_id, { ...harmful(['sexual', 'hate']), estimate: true });

  expect(second.requests).toBe(0);
  expect(own).toHaveLength(1);
  // The order of the categories makes no other settings.
  expect(third.reused_rows).toBe(20);
});

test('a run with other settings asks anew for another model', async () => {
  const { dataset_id } = await newDataset(20);
  await adapt(dataset_id);
  const other = { ...improving, modelId: 'another-model' };

  const second = await adapt(dataset_id, only, {
    models: { rewrite: other, answer: other, judge: null, embedder: null },
  });

  expect(second.requests).toBe(20);
  // The launch knew of no other model, and a bill is never above its quote.
  expect(second.run).toMatchObject({ reserved_credits: 0, settled_credits: 0 });
  expect(await faultsOf(world.store, owner.team_id)).toEqual([]);
});

test('a run with other settings that breaks the promise of its quote is the last one that the service pays for', async () => {
  const { dataset_id } = await newDataset(20);
  await adapt(dataset_id);
  const asking = (modelId: string) => {
    const other = { ...improving, modelId };
    return adapt(dataset_id, only, {
      models: { rewrite: other, answer: other, judge: null, embedder: null },
    });
  };

  const broken = await asking('b-model');
  const after = await asking('c-model');
  const known = await asking('c-model');

  expect([broken, after, known].map(({ requests }) => requests)).toEqual([20, 20, 0]);
  expect([broken, after, known].map(({ quote }) => quote.reused_rows ?? 0)).toEqual([20, 0, 0]);
  expect([broken, after, known].map(({ run }) => run.settled_credits)).toEqual([0, 1, 0]);
  // Nor is it promised with other settings, of which a caller has many.
  const short = { ...only, brand_controls: { length: 'concise' as const } };
  await adapt(dataset_id, short);
  expect((await ask(dataset_id, { ...short, estimate: true })).reused_rows).toBeUndefined();
  expect((await adapt(dataset_id, short)).run.settled_credits).toBe(0);
  expect(await faultsOf(world.store, owner.team_id)).toEqual([]);
});

test('a run with other settings decides anew which rows repeat others, and reuses the rest', async () => {
  const { dataset_id } = await newDataset(40);
  const first = await adapt(dataset_id);
  asked = [];
  const launched = await launch(dataset_id, {
    recipe_specification: { recipes: { prompt_rephrase: false, deduplication: true } },
  });
  const reason = { code: 'duplicate', message: 'The row repeats row 3.', similar_to_row: 3 };
  await world.objects.write(
    objectKeys.duplicates(launched.context.run_id, 0),
    `${JSON.stringify({ row: 7, reason })}\n`,
    'application/jsonl',
  );

  await work(launched.batches[0]);
  const run = await finish(launched);

  const results = resultsOf(launched);
  expect(results[7]).toMatchObject({ outcome: 'dropped' });
  expect(results.filter(({ reused }) => reused)).toHaveLength(39);
  expect(results[8]?.cells).toEqual(first.results[8]?.cells);
  expect(asked).toEqual([]);
  expect(run).toMatchObject({ counts: { dropped: 1, changed: 39 }, settled_credits: 0 });
});

test('every row is adapted anew with reuse: false, which is billed in full, and whose answers later runs reuse', async () => {
  const { dataset_id } = await newDataset(40);
  const first = await adapt(dataset_id);

  const anew = await adapt(dataset_id, { ...only, reuse: false });
  const third = await adapt(dataset_id);

  expect(anew.requests).toBe(40);
  expect(anew.quote.reused_rows).toBeUndefined();
  expect(anew.run.settled_credits).toBe(1);
  expect(cellsOf(anew)).not.toEqual(cellsOf(first));
  expect(third.requests).toBe(0);
  expect(cellsOf(third)).toEqual(cellsOf(anew));
});

test('every row is adapted anew as far as a quote knows, with linked images, which their server can change at each request', async () => {
  const columns = ['question', 'answer', 'picture'].map((name) => ({ name, type: 'VARCHAR' }));
  const seeded = { row_count: 100, columns, image_column_formats: { picture: 'url' as const } };
  const { dataset_id } = await seedDataset(world.store, owner, seeded);
  const lines = Array.from({ length: 100 }, (_, row) =>
    JSON.stringify({ ...JSON.parse(lineOf(row)), picture: `https://images.test/${row}.png` }),
  );
  await writeRows(world, dataset_id, lines, 100);
  const request = {
    ...only,
    column_mapping: { prompt: 'question', completion: 'answer', image: 'picture', context: [] },
  };
  let served = 0;
  const fetchImage = async () => {
    served += 1;
    return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(`image ${served}`)]);
  };

  const first = await adapt(dataset_id, request, { fetchImage });
  const second = await adapt(dataset_id, request, { fetchImage });

  expect(second.requests).toBe(first.requests);
  expect(second.quote.reused_rows).toBeUndefined();
  expect(second.run.settled_credits).toBe(first.run.settled_credits);
  expect(first.run.settled_credits).toBeGreaterThan(0);
});

test('every row is adapted anew as far as a quote knows, where a model is asked about some rows alone, which others may join', async () => {
  const { dataset_id } = await newDataset(20);
  const request = {
    recipe_specification: { recipes: { verification: 'flag', verification_rows: 5 } },
  } as const;

  await adapt(dataset_id, request);
  const second = await adapt(dataset_id, request);

  expect(second.quote.reused_rows).toBeUndefined();
  expect(second.requests).toBe(0);
});

test('every row is adapted anew with a web search, whose calls are not recorded', async () => {
  const { dataset_id } = await newDataset(20);
  const grounded = { ...only, brand_controls: { hallucination_mitigation: true } };
  const first = await adapt(dataset_id, grounded);

  const second = await adapt(dataset_id, grounded);

  expect(first.requests).toBe(20);
  expect(second.requests).toBe(20);
  expect(second.quote.reused_rows).toBeUndefined();
  expect(second.run.settled_credits).toBe(1);
  expect(reuseKeys()).toEqual([]);
});

test('every row is adapted anew for another team with the same rows', async () => {
  const { dataset_id } = await newDataset(20);
  await adapt(dataset_id);
  owner = await seedTeam(world.store, 1000);
  const other = await newDataset(20);

  const theirs = await adapt(other.dataset_id);

  expect(theirs.requests).toBe(20);
  expect(theirs.run.settled_credits).toBe(1);
});

test('every row is adapted anew if its recorded calls are malformed, with a warning', async () => {
  const { dataset_id } = await newDataset(20);
  await adapt(dataset_id);
  const [key = ''] = callKeys();
  await world.objects.write(key, '{"line": "three"}\nnot JSON\n', 'application/jsonl');
  const malformed: string[] = [];

  const second = await adapt(dataset_id, only, { onMalformed: (each) => malformed.push(each) });

  expect(malformed).toEqual([key]);
  expect(second.requests).toBe(20);
  expect(second.run.status).toBe('succeeded');
  expect(second.run.settled_credits).toBeLessThanOrEqual(second.run.reserved_credits);
});

test('every row is adapted anew in a pilot, whose calls are not recorded either', async () => {
  const { dataset_id } = await newDataset(20);
  await adapt(dataset_id);
  const before = callKeys();
  asked = [];
  const { context, batches } = await launch(dataset_id);
  const [batch] = batches;

  await work({ ...(batch as BatchPlan), request_key: objectKeys.runRequest(context.run_id) });

  expect(asked).toHaveLength(20);
  expect(callKeys()).toEqual(before);
});

test('recorded calls outlive a killed worker, and are in no result', async () => {
  const { dataset_id } = await newDataset(80);
  const launched = await launch(dataset_id);
  let rows = 0;
  const failing: ModelClient = {
    ...improving,
    generate: async (request) => {
      rows += 1;
      if (rows > 60) throw new Error('The worker is killed.');
      return improving.generate(request);
    },
  };
  const models = { rewrite: failing, answer: failing, judge: null, embedder: null };
  await expect(work(launched.batches[0], { models })).rejects.toThrow('killed');
  expect(callKeys()).toEqual([]);

  await work(launched.batches[0]);
  await finish(launched);

  expect(asked.length).toBeGreaterThanOrEqual(80);
  const [key = ''] = callKeys();
  expect(linesOf(world.objects.text(key))).toHaveLength(80);
  expect(resultsOf(launched).some((result) => 'recorded' in result)).toBe(false);
  const second = await adapt(dataset_id);
  expect(second.requests).toBe(0);
  expect(cellsOf(second)).toEqual(resultsOf(launched).map(({ cells }) => cells));
});

test('recorded calls of its own run make no row of a resumed worker a reused one', async () => {
  const { dataset_id } = await newDataset(10);
  const launched = await launch(dataset_id);
  const killed = {
    ...world.objects,
    writeNew: () => Promise.reject(new Error('The worker is killed.')),
    write: async (key: string, body: Buffer | string, type: string) => {
      if (!key.includes('/checkpoints/')) await world.objects.write(key, body, type);
    },
  };
  await expect(work(launched.batches[0], { objects: killed })).rejects.toThrow('killed');
  expect(callKeys()).toHaveLength(1);

  await work(launched.batches[0]);

  expect(resultsOf(launched).filter(({ reused }) => reused)).toEqual([]);
  expect((await finish(launched)).settled_credits).toBe(1);
});

test('recorded calls serve another dataset of the team with the same chunk, which then has its own', async () => {
  const one = await newDataset(20);
  const first = await adapt(one.dataset_id);
  const other = await newDataset(20);

  const copied = await adapt(other.dataset_id);

  expect(copied.requests).toBe(0);
  expect(cellsOf(copied)).toEqual(cellsOf(first));
  expect(copied.run.settled_credits).toBe(0);
  await eraseDataset(
    {
      ...world.store,
      objects: world.objects,
      listCopies: async () => [],
      retireDeployment: async () => null,
    },
    one.dataset_id,
    NOW,
  );
  expect((await adapt(other.dataset_id)).requests).toBe(0);
});

test('recorded calls of another dataset are stored with the dataset that reused them, beside those of its own', async () => {
  const one = await newDataset(20);
  const other = await newDataset(20);
  const short = { ...only, brand_controls: { length: 'concise' as const } };
  await adapt(other.dataset_id, short);
  await adapt(one.dataset_id);
  await adapt(other.dataset_id);

  await eraseDataset(
    {
      ...world.store,
      objects: world.objects,
      listCopies: async () => [],
      retireDeployment: async () => null,
    },
    one.dataset_id,
    NOW,
  );

  expect((await adapt(other.dataset_id)).requests).toBe(0);
  expect((await adapt(other.dataset_id, short)).requests).toBe(0);
});

test('recorded calls go with their dataset', async () => {
  const gone = await newDataset(20);
  const kept = await newDataset(20);
  await adapt(gone.dataset_id);
  await adapt(kept.dataset_id);
  expect(reuseKeys().filter((key) => key.includes(gone.dataset_id))).toHaveLength(3);

  await eraseDataset(
    {
      ...world.store,
      objects: world.objects,
      listCopies: async () => [],
      retireDeployment: async () => null,
    },
    gone.dataset_id,
    NOW,
  );

  expect(reuseKeys()).toHaveLength(3);
  expect(reuseKeys().every((key) => key.includes(kept.dataset_id))).toBe(true);
});

test('recorded calls are found by the content of the chunk and the place of the batch', async () => {
  const { dataset_id } = await newDataset(20);
  await adapt(dataset_id);

  const chunk = await world.objects.read(objectKeys.rows(dataset_id, 0));
  const id = chunkIdOf(chunk ?? Buffer.alloc(0));
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  const [key = ''] = callKeys();
  expect(key.startsWith(objectKeys.reuseOfDataset(owner.team_id, id, dataset_id))).toBe(true);
  expect(key).toMatch(/\/00000000-20-\d+-[0-9a-f-]{36}-0\.[0-9a-f]{12}\.jsonl$/);
  const lines = linesOf(world.objects.text(key)).map((line) => JSON.parse(line).line);
  expect(lines).toEqual(Array.from({ length: 20 }, (_, line) => line));
});
