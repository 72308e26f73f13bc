import * as z from 'zod';
import type { FreeUse } from '#shared/platform/schema/plan.ts';
import type { RowPrice } from '#shared/platform/schema/row-prices.ts';

/** What the service knows of a kind of run. */
export interface RunKind {
  /**
   * What there is once it has succeeded: the first rows of a dataset, further rows of it, the rows of a dataset that is
   * billed by those which it adds, a version of its rows, the choice of an arm, or a model.
   */
  readonly makes: 'rows' | 'further_rows' | 'grown_rows' | 'version' | 'recommendation' | 'model';
  /** Where its rows are from: files that its caller named, with unknown columns; its own dataset, as at the launch; others. */
  readonly reads: 'files' | 'own_rows' | 'other_rows';
  /**
   * What its launch claims. A run that claims the dataset moves its state; an append waits until the dataset is idle; a
   * dataset has one pilot and one training at a time, which only read it.
   */
  readonly claims: 'dataset' | 'append' | 'pilot' | 'training';
  /** Whether it reserves credits and counts against the plan's limit of concurrent runs; what only loads rows is free. */
  readonly countsAgainstPlan: boolean;
  /** The plan's limit on launches of what reserves no credits; null for what does. */
  readonly freeUse: FreeUse | null;
  /** Price of a row that it adds to a grown dataset; null for runs that add none, or are billed in another way. */
  readonly addedRowPrice: RowPrice | null;
  /** Who has written the rows that it makes, for the card of a published dataset. */
  readonly rowsAreOf: 'caller' | 'other_datasets' | 'models';
  /** Whether it may write any row of its own dataset anew; a review only gives those another text that people mended. */
  readonly rewritesRows: boolean;
  /** Whether a run that failed delivers what it had finished. */
  readonly deliversPart: boolean;
  /** Whether its processed rows are told while it is active. */
  readonly tellsProgress: boolean;
  /** The event of its end. */
  readonly endEvent: 'dataset.read' | 'pilot.ended' | 'run.ended';
  /** The state machine that runs it. */
  readonly stateMachine: string;
  /** What launches it with an idempotency key: requests with the same key, team, dataset and operation are one. */
  readonly operations: readonly string[];
}

const READING = {
  makes: 'rows',
  reads: 'files',
  claims: 'dataset',
  countsAgainstPlan: false,
  freeUse: 'readings_per_hour',
  addedRowPrice: null,
  rowsAreOf: 'caller',
  rewritesRows: false,
  deliversPart: false,
  tellsProgress: true,
  endEvent: 'dataset.read',
  operations: [],
} as const satisfies Omit<RunKind, 'stateMachine'>;

const GROWING = {
  makes: 'grown_rows',
  reads: 'other_rows',
  claims: 'dataset',
  countsAgainstPlan: true,
  freeUse: null,
  rowsAreOf: 'models',
  rewritesRows: false,
  deliversPart: true,
  tellsProgress: true,
  endEvent: 'run.ended',
} as const satisfies Omit<RunKind, 'addedRowPrice' | 'stateMachine' | 'operations'>;

const ADAPTING = {
  makes: 'version',
  reads: 'own_rows',
  claims: 'dataset',
  countsAgainstPlan: true,
  freeUse: null,
  addedRowPrice: null,
  rowsAreOf: 'models',
  rewritesRows: true,
  deliversPart: true,
  tellsProgress: true,
  endEvent: 'run.ended',
  stateMachine: 'adapt',
  // `/adapt` and `/run` are one.
  operations: ['adapt'],
} as const satisfies RunKind;

/** Every kind of run, by the name of its pipeline. A new kind is an entry here, and its folder. */
const RUN_KINDS = {
  ingest: { ...READING, stateMachine: 'ingest' },
  import: { ...READING, stateMachine: 'import' },
  adapt: ADAPTING,
  // What people said of the rows of a version is applied to them.
  review: {
    ...ADAPTING,
    rewritesRows: false,
    deliversPart: false,
    stateMachine: 'review',
    operations: ['review'],
  },
  pilot: {
    ...ADAPTING,
    makes: 'recommendation',
    rewritesRows: false,
    claims: 'pilot',
    endEvent: 'pilot.ended',
    stateMachine: 'pilot',
    operations: ['pilot'],
  },
  // Its rows are read as the files of an upload are.
  append: {
    ...READING,
    makes: 'further_rows',
    claims: 'append',
    endEvent: 'run.ended',
    stateMachine: 'ingest',
    operations: ['append'],
  },
  combine: {
    ...READING,
    reads: 'other_rows',
    freeUse: 'merges_per_hour',
    rowsAreOf: 'other_datasets',
    endEvent: 'run.ended',
    stateMachine: 'combine',
    operations: ['combine'],
  },
  expand: {
    ...GROWING,
    addedRowPrice: 'text',
    stateMachine: 'expand',
    operations: ['translate', 'localize', 'extend'],
  },
  invent: { ...GROWING, addedRowPrice: 'invented', stateMachine: 'invent', operations: ['invent'] },
  augment: { ...GROWING, addedRowPrice: 'augmented', stateMachine: 'augment', operations: ['augment'] },
  train: {
    ...ADAPTING,
    makes: 'model',
    rewritesRows: false,
    claims: 'training',
    tellsProgress: false,
    stateMachine: 'train',
    operations: ['train'],
  },
} as const satisfies Record<string, RunKind>;

/** Pipelines whose executions are runs. */
export const RunPipeline = z.enum(Object.keys(RUN_KINDS) as (keyof typeof RUN_KINDS)[]);
export type RunPipeline = keyof typeof RUN_KINDS;

/** An operation that launches a run once for each idempotency key. */
export type RunOperation = (typeof RUN_KINDS)[RunPipeline]['operations'][number];

export const kindOf = ({ pipeline }: { readonly pipeline: RunPipeline }): RunKind => RUN_KINDS[pipeline];

/** The state machine of a pipeline; those that are no runs have one of their name. */
export function stateMachineOf(pipeline: string): string {
  const run = RunPipeline.safeParse(pipeline);
  return run.success ? RUN_KINDS[run.data].stateMachine : pipeline;
}

/** State machines whose executions are runs. */
export const RUN_MACHINES: readonly string[] = [
  ...new Set(Object.values(RUN_KINDS).map(({ stateMachine }) => stateMachine)),
];

/** Whether a run generates the rows of a dataset, instead of processing existing ones. */
export const makesRows = (run: { readonly pipeline: RunPipeline }): boolean =>
  kindOf(run).reads !== 'own_rows';

/** Whether a run appends rows to its dataset. */
export const isAppend = (run: { readonly pipeline: RunPipeline } | null): boolean =>
  run !== null && kindOf(run).claims === 'append';

/** Whether a run creates a dataset that is billed by its new rows. */
export const growsDataset = (run: { readonly pipeline: RunPipeline }): boolean =>
  kindOf(run).makes === 'grown_rows';

/** Whether a version is the result of a run on the rows, an adaptation's or a review's: appends do not build on it. */
export const isResultVersion = ({ made_by }: { readonly made_by: string }): boolean => {
  const pipeline = RunPipeline.safeParse(made_by);
  return pipeline.success && RUN_KINDS[pipeline.data].makes === 'version';
};
