import { expect, test } from 'vitest';
import {
  countsAgainstPlan,
  growsDataset,
  makesRows,
  movesDataset,
  RunPipeline,
  readsFiles,
} from '#shared/runs/decide/record.ts';

/** What is true of each pipeline: a free run makes rows and grows nothing. */
const kinds = {
  ingest: ['makesRows', 'movesDataset', 'readsFiles'],
  import: ['makesRows', 'movesDataset', 'readsFiles'],
  adapt: ['movesDataset', 'countsAgainstPlan'],
  pilot: ['countsAgainstPlan'],
  append: ['makesRows', 'readsFiles'],
  combine: ['makesRows', 'movesDataset'],
  expand: ['makesRows', 'movesDataset', 'growsDataset', 'countsAgainstPlan'],
  invent: ['makesRows', 'movesDataset', 'growsDataset', 'countsAgainstPlan'],
  augment: ['makesRows', 'movesDataset', 'growsDataset', 'countsAgainstPlan'],
  train: ['countsAgainstPlan'],
} satisfies Record<RunPipeline, string[]>;

test.each(RunPipeline.options)(
  'a run of %s is of its kind, by which it is billed and settled',
  (pipeline) => {
    const questions = { makesRows, movesDataset, readsFiles, growsDataset, countsAgainstPlan };
    const answered = Object.entries(questions)
      .filter(([, ask]) => ask(pipeline) === true)
      .map(([name]) => name);

    expect(answered.sort()).toEqual(kinds[pipeline].toSorted());
  },
);
