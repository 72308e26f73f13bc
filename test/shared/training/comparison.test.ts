import { beforeEach, expect, test } from 'vitest';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import { assembleIteration, planComparison } from '#shared/training/compare-iteration.ts';
import { prepareTraining } from '#shared/training/prepare-training.ts';
import type { TrainingExample, TrainingJob } from '#shared/training/schema/training-job.ts';
import { ComparingSides, IterationOutcome, TrainingData } from '#shared/training/schema/training-outcome.ts';
import { answerOf, linesOf, questionOf, resultOf } from '#test/helpers/active-run.ts';
import { calibrationOf } from '#test/helpers/calibrations.ts';
import {
  askComparison,
  iterateComparison,
  seedComparable,
  soundAnswer,
  startComparison,
} from '#test/helpers/comparing.ts';
import { deliverIteration, queueIteration } from '#test/helpers/iterating.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let context: RunContext;

beforeEach(() => {
  world = createWorld();
});

async function begin(options: Parameters<typeof seedComparable>[1] = {}, seeds = 1): Promise<void> {
  context = await startComparison(world, await seedComparable(world, options), { seeds });
}

const ports = () => ({ ...world.store, objects: world.objects });
const examplesOf = (keys: readonly string[]): TrainingExample[] =>
  keys.flatMap((key) => linesOf(world.objects.text(key)).map((line) => JSON.parse(line)));
const promptOf = ({ messages }: TrainingExample): string => messages.map(({ content }) => content).join('\n');

/** What both sides are trained on, and what is held out. */
async function prepared() {
  await prepareTraining(ports(), context);
  const data = TrainingData.parse(JSON.parse(world.objects.text(objectKeys.trainingData(context.run_id))));
  return {
    data,
    original: examplesOf(data.train_keys),
    adapted: examplesOf(data.adapted_keys ?? []),
    held: examplesOf([data.held_out_key]),
  };
}

const changedTo = (row: number, prompt: string, answer: string): RunResult => ({
  ...resultOf(row),
  cells: { enhanced_prompt: prompt, enhanced_completion: answer },
});

test('preparing a comparison trains both sides on the same rows in the same order, with the cells of each', async () => {
  await begin();

  const { data, original, adapted, held } = await prepared();

  expect(held).toHaveLength(20);
  expect(data).toMatchObject({ train_rows: 40, held_out_rows: 20, rows: 60 });
  expect(adapted.map(({ row }) => row)).toEqual(original.map(({ row }) => row));
  for (const [n, { row, completion }] of original.entries()) {
    expect(completion).toBe(answerOf(row));
    expect(adapted[n]).toMatchObject({
      messages: [{ role: 'user', content: `better ${questionOf(row)}` }],
      completion: `better ${answerOf(row)}`,
    });
  }
});

test('preparing a comparison holds out original prompts with their original answers, and trains neither side on them', async () => {
  await begin({ rows: 80 });

  const { original, adapted, held } = await prepared();

  const rows = new Set(held.map(({ row }) => row));
  for (const { row, completion, messages } of held) {
    expect([messages[0]?.content, completion]).toEqual([questionOf(row), answerOf(row)]);
  }
  expect([...original, ...adapted].filter(({ row }) => rows.has(row))).toEqual([]);
});

test('preparing a comparison trains on no row whose prompt is held out, however its answers differ', async () => {
  const line = (row: number): string =>
    JSON.stringify({ note: row, question: questionOf(row % 50), answer: answerOf(row) });
  await begin({ rows: 100, line, result: (row) => changedTo(row, `better ${row}`, answerOf(row)) });

  const { original, adapted, held } = await prepared();

  const prompts = new Set(held.map(promptOf));
  expect(prompts.size).toBe(held.length);
  expect(original.filter((each) => prompts.has(promptOf(each)))).toEqual([]);
  expect(adapted).toHaveLength(original.length);
});

test('preparing a comparison trains neither side on a row whose adapted prompt is one that is held out', async () => {
  await begin({ rows: 100, result: (row) => changedTo(row, questionOf((row + 1) % 100), answerOf(row)) });

  const { data, original, adapted, held } = await prepared();

  const prompts = new Set(held.map(promptOf));
  expect([...original, ...adapted].filter((each) => prompts.has(promptOf(each)))).toEqual([]);
  expect(original).toHaveLength(adapted.length);
  expect(original.length + held.length).toBeLessThan(100);
  expect(data.skipped).toMatchObject([{ reason: 'an adapted prompt that is held out' }]);
});

test('preparing a comparison takes only rows that both sides can be trained on', async () => {
  const line = (row: number): string =>
    JSON.stringify({ note: row, question: questionOf(row), answer: row < 5 ? '' : answerOf(row) });
  const result = (row: number): RunResult =>
    row >= 90 ? resultOf(row, 'dropped') : changedTo(row, 'x', row > 80 ? '' : 'y');
  await begin({ rows: 100, line, result });

  const { data, original, adapted } = await prepared();

  expect(data.rows).toBe(90);
  expect(data.skipped).toEqual([
    { reason: 'no completion (original)', rows: 5 },
    { reason: 'no completion (adapted)', rows: 9 },
  ]);
  expect(adapted.map(({ row }) => row)).toEqual(original.map(({ row }) => row));
});

test('preparing a comparison leaves out rows that the run added in other languages', async () => {
  const active = await seedComparable(world, { added: 30 });
  context = await startComparison(world, active);

  const { data, original, adapted, held } = await prepared();

  expect(data.rows).toBe(60);
  expect([original.length, adapted.length, held.length]).toEqual([40, 40, 20]);
});

test('preparing a comparison takes rows that the run kept as they are on both sides', async () => {
  await begin({ result: (row) => resultOf(row, 'kept') });

  const { original, adapted } = await prepared();

  expect(adapted).toEqual(original);
});

test('a comparison of originals that all have one prompt is refused', async () => {
  const line = (row: number): string =>
    JSON.stringify({ note: row, question: 'the same', answer: answerOf(row) });

  const { problem } = await askComparison(world, await seedComparable(world, { line }));

  expect(problem).toMatchObject({
    code: 'dataset_untrainable',
    message: expect.stringContaining('too few different rows of the dataset have a prompt'),
  });
});

/** How the adapted side of the first seed did against its original side. */
async function againstOriginal(): Promise<ComparingSides> {
  const { against_original } = IterationOutcome.parse(
    JSON.parse(world.objects.text(objectKeys.iterationOutcome(context.run_id, 2))),
  );
  if (against_original === undefined) throw new Error('The sides were not compared.');
  return against_original;
}

test('the iterations of a comparison train both sides of each seed alike, whatever their win rates', async () => {
  await begin({}, 2);
  const jobs: TrainingJob[] = [];
  const goOn: boolean[] = [];
  for (const wins of [20, 20, 0, 20]) {
    const { job, goesOn } = await iterateComparison(world, context, { wins });
    jobs.push(job);
    goOn.push(goesOn);
  }
  const { data } = await prepared();

  expect(goOn).toEqual([true, true, true, false]);
  const [first, second, third, fourth] = jobs as [TrainingJob, TrainingJob, TrainingJob, TrainingJob];
  expect([first, third].map((job) => job.data.train_keys)).toEqual([data.train_keys, data.train_keys]);
  expect([second, fourth].map((job) => job.data.train_keys)).toEqual([data.adapted_keys, data.adapted_keys]);
  expect(second.seed).toBe(first.seed);
  expect(fourth.seed).toBe(third.seed);
  expect(third.seed).not.toBe(first.seed);
  for (const { stages, data: each } of jobs) {
    expect(stages).toEqual(first.stages);
    expect([each.train_rows, each.held_out_key]).toEqual([data.train_rows, data.held_out_key]);
  }
  const { best } = (await world.store.trainings.find(context.team_id, context.run_id)) ?? {};
  expect(best).toBeNull();
});

test('the iterations of a comparison that are concluded twice end the same', async () => {
  await begin();
  await iterateComparison(world, context, { wins: 3 });
  const again = await assembleIteration(
    { ...ports(), judgeId: null },
    { ...context, iteration: 1, attempt: 1 },
    null,
  );

  expect(again.goes_on).toBe(true);
});

test('the iterations of a comparison of an adapted side are compared with the base and with the original side of the seed', async () => {
  await begin();
  await iterateComparison(world, context, { wins: 8, judged: () => 'tie' });
  const { job } = await iterateComparison(world, context, {
    wins: 14,
    judged: (against) => (against === 'base' ? 'win' : 'loss'),
  });

  const outcome = IterationOutcome.parse(
    JSON.parse(world.objects.text(objectKeys.iterationOutcome(context.run_id, job.iteration))),
  );
  expect(outcome.win_rate).toMatchObject({ method: 'judge', value: 1 });
  // The answers to the other fourteen are the same.
  expect(outcome.against_original?.win_rate).toMatchObject({
    method: 'judge',
    losses: 6,
    ties: 14,
    value: 0.35,
  });
  expect(outcome.against_original?.likelihood).toMatchObject({ wins: 6, ties: 14 });
  const samples = linesOf(world.objects.text(objectKeys.comparisonSample(context.run_id, 2, 1)));
  const { base, tuned, row } = JSON.parse(samples[0] ?? '');
  expect([base.answer, tuned.answer]).toEqual([soundAnswer(false, row), soundAnswer(true, row)]);
});

test('the iterations of a comparison count a row of both sides that nothing decides as a tie', async () => {
  await begin();
  await iterateComparison(world, context, { wins: 8, judged: () => 'win' });
  await iterateComparison(world, context, {
    wins: 14,
    judged: (against, place) => (against === 'original' && place > 8 ? null : 'win'),
  });

  // Six rows have equal answers on both sides, and eight more have equal ones that lost.
  const open = await againstOriginal();
  expect(open.win_rate).toMatchObject({ method: 'judge', judge: 'judge', n: 20 });
  expect(open.win_rate.wins + open.win_rate.ties).toBe(20);
  expect(open.win_rate.undecided).toBeLessThan(open.win_rate.ties);
});

test('the iterations of a comparison are told apart by the checks alone without a judge, whatever the likelihoods say', async () => {
  await begin();
  await iterateComparison(world, context, {
    wins: 20,
    answer: (_, row) => (row % 2 === 0 ? 'lol lol lol lol lol lol lol lol lol lol' : soundAnswer(false, row)),
  });
  await iterateComparison(world, context, { wins: 0 });

  const { win_rate, likelihood } = await againstOriginal();
  const held = linesOf(world.objects.text(objectKeys.heldOutRows(context.run_id))).map(
    (line) => (JSON.parse(line) as TrainingExample).row,
  );
  const even = held.filter((row) => row % 2 === 0).length;
  expect(even).toBeGreaterThan(3);
  expect(win_rate).toMatchObject({
    method: 'checks',
    judge: null,
    n: 20,
    wins: even,
    losses: 0,
    ties: 20 - even,
  });
  expect(likelihood).toMatchObject({ method: 'likelihood', value: 0, losses: 20 });
});

test.each([
  ['there is no judge', {}, 'The installation has no judge.'],
  [
    'the judge is not believed at all',
    { judgeId: 'judge' },
    'The judge judge is believed for no kind of pair.',
  ],
  [
    'the judge stopped answering',
    { judged: () => 'lost' as const },
    'The judge judge stopped answering: 1 of 1 parts of the answers were not compared.',
  ],
  [
    'the judge is not believed for all pairs',
    { judged: (_: unknown, place: number) => (place < 7 ? ('undecided' as const) : ('win' as const)) },
    'The judge judge is not believed for 7 rows.',
  ],
  [
    'its verdicts could not be read',
    { judged: (_: unknown, place: number) => (place === 0 ? null : ('win' as const)) },
    'The judge judge gave no verdict that could be read on 1 row.',
  ],
  [
    'both happened',
    {
      judged: (_: unknown, place: number) => (place < 2 ? null : place < 5 ? ('undecided' as const) : 'tie'),
    },
    'The judge judge is not believed for 3 rows. The judge judge gave no verdict that could be read on 2 rows.',
  ],
] as const)(
  'the iterations of a comparison say why rows of both sides are undecided: %s',
  async (_, how, reason) => {
    await begin();
    await iterateComparison(world, context, { wins: 20 });
    await iterateComparison(world, context, { wins: 0, ...how });

    const { undecided, undecided_reason } = (await againstOriginal()).win_rate;
    expect(undecided).toBeGreaterThan(0);
    expect(undecided_reason).toBe(reason);
  },
);

test('the iterations of a comparison are undecided where the judge is the model that is trained', async () => {
  await begin();
  const { model = '' } = (await world.store.trainings.find(context.team_id, context.run_id)) ?? {};
  await iterateComparison(world, context, { wins: 20 });
  await iterateComparison(world, context, { wins: 0, judgeId: model });

  expect((await againstOriginal()).win_rate).toMatchObject({
    undecided: 20,
    undecided_reason: `The judge ${model} is the model that is trained.`,
  });
});

test('give no reason where nothing is undecided, and read outcomes that were stored without one', async () => {
  await begin();
  await iterateComparison(world, context, { wins: 20 });
  await iterateComparison(world, context, { wins: 0, judged: () => 'loss' });

  const { win_rate, likelihood } = await againstOriginal();
  expect(win_rate).toMatchObject({ undecided: 0, undecided_reason: null });
  const { undecided_reason: _, ...older } = win_rate;
  expect(ComparingSides.parse({ win_rate: older, likelihood }).win_rate.undecided_reason).toBeNull();
});

/** A comparison of a model that reasons before it answers, which takes more rows at its launch. */
async function beginThinking(): Promise<void> {
  await begin();
  await prepareTraining(ports(), context);
  const model = { model: 'Qwen/Qwen3.5-4B' } as object;
  await world.store.trainings.recordProgress(context.run_id, model);
}

test.each([
  ['original', { wins: 20, answer: () => '' }, { wins: 0 }],
  ['adapted', { wins: 20 }, { wins: 0, answer: () => ' ' }],
] as const)(
  'the iterations of a comparison count no row as won to which the %s side of models that reason left no answer, and say how many',
  async (_, original, adapted) => {
    await beginThinking();
    await iterateComparison(world, context, { ...original, judged: () => 'tie' });
    await iterateComparison(world, context, { ...adapted, judged: () => 'win' });

    expect((await againstOriginal()).win_rate).toMatchObject({
      ...{ wins: 0, losses: 0, ties: 20, n: 20, value: 0.5, undecided: 20 },
      undecided_reason: 'A side left no answer to 20 rows.',
    });
  },
);

test('the iterations of a comparison count an empty answer of a model that does not reason as one with a defect', async () => {
  await begin();
  await iterateComparison(world, context, { wins: 20, answer: () => '' });
  await iterateComparison(world, context, { wins: 0 });

  const { wins, losses, undecided } = (await againstOriginal()).win_rate;
  expect([losses, undecided]).toEqual([0, 0]);
  expect(wins).toBeGreaterThan(0);
});

test('the iterations of a comparison say both how many rows have no answer and why others are undecided', async () => {
  await beginThinking();
  await iterateComparison(world, context, {
    wins: 20,
    answer: (_, row) => (row % 2 === 0 ? '' : soundAnswer(true, row)),
  });
  await iterateComparison(world, context, { wins: 0 });

  const { undecided, undecided_reason } = (await againstOriginal()).win_rate;
  expect(undecided).toBe(20);
  expect(undecided_reason).toMatch(/^A side left no answer to \d+ rows\. The installation has no judge\.$/);
});

test('the iterations of a comparison are asked of a judge only where the checks leave them open', async () => {
  await begin();
  const answer = () => 'lol lol lol lol lol lol lol lol lol lol';
  await iterateComparison(world, context, { wins: 20, answer, judged: () => 'tie' });
  await iterateComparison(world, context, { wins: 20, judged: () => 'loss' });

  expect((await againstOriginal()).win_rate).toMatchObject({ method: 'checks', wins: 20, losses: 0 });
});

test('the iterations of a comparison cannot be compared without what the original side left', async () => {
  await begin();
  const { job } = await iterateComparison(world, context, { wins: 8 });
  await world.objects.remove([`${job.output_prefix}answers.jsonl`]);
  await deliverIteration(world, await queueIteration(world, context), 14);
  const calibrations = { findCalibration: async () => calibrationOf('judge') };

  await expect(
    planComparison(
      { ...ports(), calibrations, judgeId: 'judge', modelConcurrency: 2 },
      { ...context, iteration: 2, attempt: 1 },
    ),
  ).rejects.toThrow('left no answers');
});
