import { expect, test } from 'vitest';
import { endInterruptedRun } from '#shared/lifecycle/background.ts';
import {
  growsDataset,
  isResultVersion,
  kindOf,
  makesRows,
  RUN_MACHINES,
  RunPipeline,
  stateMachineOf,
} from '#shared/runs/decide/run-kinds.ts';

/** What is true of each pipeline: a free run makes rows and grows nothing. */
const kinds = {
  ingest: ['makesRows', 'claimsDataset', 'readsFiles'],
  import: ['makesRows', 'claimsDataset', 'readsFiles'],
  adapt: ['claimsDataset', 'countsAgainstPlan'],
  review: ['claimsDataset', 'countsAgainstPlan'],
  pilot: ['countsAgainstPlan'],
  append: ['makesRows', 'readsFiles'],
  combine: ['makesRows', 'claimsDataset'],
  expand: ['makesRows', 'claimsDataset', 'growsDataset', 'countsAgainstPlan'],
  invent: ['makesRows', 'claimsDataset', 'growsDataset', 'countsAgainstPlan'],
  augment: ['makesRows', 'claimsDataset', 'growsDataset', 'countsAgainstPlan'],
  train: ['countsAgainstPlan'],
} satisfies Record<RunPipeline, string[]>;

test.each(RunPipeline.options)(
  'a run of %s is of its kind, by which it is billed and settled',
  (pipeline) => {
    const run = { pipeline };
    const { claims, reads, countsAgainstPlan } = kindOf(run);
    const answers = {
      makesRows: makesRows(run),
      claimsDataset: claims === 'dataset',
      readsFiles: reads === 'files',
      growsDataset: growsDataset(run),
      countsAgainstPlan,
    };
    const answered = Object.entries(answers)
      .filter(([, isTrue]) => isTrue)
      .map(([name]) => name);

    expect(answered.sort()).toEqual(kinds[pipeline].toSorted());
  },
);

test.each(RunPipeline.options)(
  'a run of %s has a price for added rows where it grows a dataset, and only there',
  (pipeline) => {
    expect(kindOf({ pipeline }).addedRowPrice !== null).toBe(growsDataset({ pipeline }));
  },
);

test('an interrupted run is heard of whatever its kind is', () => {
  expect(endInterruptedRun.trigger).toEqual({
    kind: 'ended-executions',
    pipelines: expect.arrayContaining([...RUN_MACHINES]),
  });
  expect(RUN_MACHINES).toHaveLength(10);
});

test('an append is run by the state machine of an ingest, and every other pipeline by its own', () => {
  const others = [...RunPipeline.options, 'custom-eval', 'build-index'].filter((name) => name !== 'append');

  expect(stateMachineOf('append')).toBe('ingest');
  for (const name of others) expect(stateMachineOf(name)).toBe(name);
});

test('an operation launches runs of one kind, among which a key of idempotency finds its own', () => {
  const operations = RunPipeline.options.flatMap((pipeline) => kindOf({ pipeline }).operations);

  expect(operations.sort()).toEqual([
    ...[
      'adapt',
      'append',
      'augment',
      'combine',
      'extend',
      'invent',
      'localize',
      'pilot',
      'review',
      'train',
      'translate',
    ],
  ]);
});

test('a version is the result of a run if an adaptation or a review has made it, and never if no run of today has', () => {
  const makers = [...RunPipeline.options, 'build_pool', 'constructor'];

  expect(makers.filter((made_by) => isResultVersion({ made_by }))).toEqual(['adapt', 'review']);
});
