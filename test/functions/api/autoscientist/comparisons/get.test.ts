import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/autoscientist/comparisons/get.ts';
import { handler as download } from '#functions/api/autoscientist/download.ts';
import { handler as getTraining } from '#functions/api/autoscientist/get.ts';
import { handler as metrics } from '#functions/api/autoscientist/metrics.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import type { ActiveRun } from '#test/helpers/active-run.ts';
import {
  finishComparison,
  iterateComparison,
  seedComparable,
  soundAnswer,
  startComparison,
  type Trained,
} from '#test/helpers/comparing.ts';
import { endTrainingNow, launchTraining } from '#test/helpers/training.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

const HELD_OUT = 20;

let world: World;
let active: ActiveRun;
let context: RunContext;

beforeEach(async () => {
  world = createWorld();
  active = await seedComparable(world);
  context = await startComparison(world, active);
});

const get = (as = active.caller, comparison_id = context.run_id) =>
  world.call(handler, { as, params: { comparison_id } });
const shown = async () => (await get()).body;

async function iterate(...iterations: Trained[]): Promise<void> {
  for (const each of iterations) await iterateComparison(world, context, each);
}

const stages = (end: number) => [
  {
    method: 'sft' as const,
    steps: 2,
    steps_planned: 2,
    seconds: 1,
    train_loss: [
      { step: 1, loss: 3 },
      { step: 2, loss: end + 0.5 },
    ],
    held_out_loss: [
      { step: 0, loss: 3.1 },
      { step: 2, loss: end },
    ],
  },
];

test('a comparison that has just begun shows no win rate', async () => {
  expect(await shown()).toMatchObject({
    comparison_id: context.run_id,
    run_id: active.run.run_id,
    status: 'pending',
    trainings_completed: 0,
    trainings_total: 2,
    win_rates: { adapted_against_base: null, original_against_base: null, adapted_against_original: null },
    trainings: [],
    answers: [],
  });
});

test('three win rates come of three comparisons on the same prompts', async () => {
  await iterate({ wins: 8, report: { stages: stages(2.5) } }, { wins: 14, report: { stages: stages(2.7) } });
  await finishComparison(world, context);

  const { status, error, win_rates: rates, trainings } = await shown();

  expect([status, error]).toEqual(['succeeded', null]);
  expect(rates.original_against_base).toMatchObject({ value: 0.4, rows: HELD_OUT, seed_spread: null });
  expect(rates.adapted_against_base).toMatchObject({ value: 0.7, measure: 'likelihood' });
  expect(rates.adapted_against_original).toMatchObject({
    measure: 'checks',
    value: 0.5,
    // Six rows have two sound answers; the answers to the others are the same.
    by_seed: [
      {
        seed: 1,
        wins: 0,
        losses: 0,
        ties: 20,
        undecided: 6,
        undecided_reason: 'The installation has no judge.',
      },
    ],
  });
  expect(trainings).toMatchObject([
    { side: 'original', seed: 1, status: 'completed', rows: 40, training_loss: 3 },
    { side: 'adapted', seed: 1, rows: 40, held_out_loss: { before: 3.1, after: 2.7 } },
  ]);
});

test('a judge that is believed decides all three', async () => {
  await iterate(
    { wins: 0, judged: (_, place) => (place < 5 ? 'loss' : 'tie') },
    {
      wins: HELD_OUT,
      judged: (against, place) => (against === 'base' ? 'tie' : place < 12 ? 'win' : 'loss'),
    },
  );

  const { win_rates: rates, answers } = await shown();

  expect(rates.original_against_base).toMatchObject({ measure: 'judge', value: 0.375 });
  expect(rates.adapted_against_base).toMatchObject({ measure: 'judge', value: 0.5 });
  expect(rates.adapted_against_original).toMatchObject({ measure: 'judge', value: 0.6 });
  const better = answers.map(({ by_seed }) => by_seed[0]?.better);
  expect(better.filter((side) => side === 'adapted')).toHaveLength(12);
  expect(better.filter((side) => side === 'original')).toHaveLength(8);
});

test('with several seeds the spread between seeds is told apart from the effect', async () => {
  await endTrainingNow(
    world,
    (await world.store.trainings.find(context.team_id, context.run_id)) as never,
    {},
  );
  context = await startComparison(world, active, { seeds: 2 });
  await iterate({ wins: 8 }, { wins: 14 }, { wins: 8 }, { wins: 10 });
  await finishComparison(world, context);

  const { status, trainings, win_rates: rates, answers } = await shown();

  expect(status).toBe('succeeded');
  expect(trainings.map(({ side, seed }) => `${side} ${seed}`)).toEqual([
    'original 1',
    'adapted 1',
    'original 2',
    'adapted 2',
  ]);
  const { value, seed_spread, interval95, by_seed } = rates.adapted_against_base ?? {};
  expect(by_seed?.map((seed) => seed.value)).toEqual([0.7, 0.5]);
  expect(value).toBe(0.6);
  expect(seed_spread).toBeCloseTo(0.1414, 4);
  // Wider than that of 20 rows alone, for other seeds would have given other models.
  expect(interval95?.[0]).toBeLessThan(0.3866);
  expect(answers[0]?.by_seed.map(({ seed }) => seed)).toEqual([1, 2]);
});

test('the three answers to a prompt stand side by side', async () => {
  await iterate({ wins: 8 });
  expect((await shown()).answers[0]?.by_seed[0]).toMatchObject({ adapted: null, better: null });
  await iterate({ wins: 14 });

  const { answers } = await shown();

  expect(answers).toHaveLength(HELD_OUT);
  const { row, prompt, reference, base, by_seed } = answers[10] as (typeof answers)[number];
  expect([prompt.text, reference.text]).toEqual([
    `how do i answer question ${row}`,
    `just give answer ${row}`,
  ]);
  expect(base.text).toBe(soundAnswer(null, row));
  expect(by_seed).toEqual([
    {
      seed: 1,
      original: { text: soundAnswer(false, row), truncated: false },
      adapted: { text: soundAnswer(true, row), truncated: false },
      // Both are sound, and there is no judge.
      better: null,
    },
  ]);
});

test('a side that fails fails the comparison, which shows what was done', async () => {
  await iterate({ wins: 8 });
  const report = { outcome: 'diverged', reason: 'The loss was no number.' } as const;
  const { goesOn } = await iterateComparison(world, context, { wins: 0, report });
  await finishComparison(world, context);

  const { status, error, win_rates, trainings, answers, trainings_completed } = await shown();

  expect(goesOn).toBe(false);
  expect([status, trainings_completed]).toEqual(['failed', 1]);
  expect(error).toContain('on the adapted rows with seed 1 produced no model (The loss was no number.)');
  expect(win_rates.original_against_base?.value).toBe(0.4);
  expect(win_rates.adapted_against_original).toBeNull();
  expect(trainings.map((each) => each.status)).toEqual(['completed', 'diverged']);
  expect(answers).toHaveLength(HELD_OUT);
});

test('a side that fails because no trainer could do it fails the comparison with its reason', async () => {
  await iterate({ wins: 8 });
  const error = { code: 'trainer_lost', message: 'The trainer fell silent.', level: 'error' } as const;
  await finishComparison(world, context, error);

  expect(await shown()).toMatchObject({ status: 'failed', error: 'The trainer fell silent.' });
});

test('a comparison is no training, and has no model to download', async () => {
  await iterate({ wins: 8 }, { wins: 14 });
  await finishComparison(world, context);
  const request = { as: active.caller, params: { experiment_id: context.run_id } };

  for (const each of [getTraining, metrics, download]) {
    expect((await world.call(each as typeof getTraining, request)).problem.code).toBe('training_not_found');
  }
  const kept: string[] = [];
  for await (const key of world.objects.list(`trainings/${context.run_id}/`)) kept.push(key);
  expect(kept.filter((key) => key.endsWith('artifact.tar.gz'))).toEqual([]);
});

test('a training, or what is another team’s, is no comparison', async () => {
  await endTrainingNow(
    world,
    (await world.store.trainings.find(context.team_id, context.run_id)) as never,
    {},
  );
  const training = await launchTraining(world, active.dataset);

  for (const { problem } of [
    await get(active.caller, training.experiment_id),
    await get(strangerTo(active.caller)),
  ]) {
    expect(problem).toMatchObject({ statusCode: 404, code: 'comparison_not_found' });
  }
});
