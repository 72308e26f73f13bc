import * as z from 'zod';
import { canonicalJson, sha256Hex } from '#shared/platform/canonical-json.ts';
import { type AdaptationSpecification, asksModel } from './specification.ts';

const Seconds = z.number().min(0);

/** Measured times of a successful run, used to estimate similar runs. */
export const SpeedObservation = z.object({
  run_id: z.string(),
  /** Absent of runs that ended before it was stored. */
  team_id: z.string().optional(),
  rows: z.int().min(1),
  calls: z.int().min(1),
  /** Calls of a row as a quote counts them; a missing judge or retries make the actual number differ. */
  quoted_calls_per_row: z.number().positive(),
  /** The sum of the durations of its calls, including retries. */
  call_seconds: Seconds,
  /** From the start of the first row to the end of the last one. */
  work_seconds: Seconds,
  evaluated_rows: z.int().min(0),
  evaluation_seconds: Seconds,
  /** The rest of its time: starting, planning, assembling, settling. */
  other_seconds: Seconds,
  /** Limit of concurrent calls. */
  concurrency: z.int().min(1),
});
export type SpeedObservation = z.infer<typeof SpeedObservation>;

/** Stores the latest observations by model and kind of run; the newest is last. */
export interface SpeedStore {
  findSpeed(modelId: string, shape: string): Promise<readonly SpeedObservation[]>;
  recordSpeed(modelId: string, shape: string, observation: SpeedObservation): Promise<void>;
}

/** The kind under which the observations of all kinds are kept. */
export const ANY_SHAPE = 'any';

const OBSERVATIONS_OF_TEAM_MAX = 8;
const OBSERVATIONS_MAX = 40;

/** The latest observations with a new one, which replaces that of the same run. So many are kept of a team, that none takes the place of all others. */
export function withObservation(
  earlier: readonly SpeedObservation[],
  observation: SpeedObservation,
): SpeedObservation[] {
  const others = earlier.filter(({ run_id }) => run_id !== observation.run_id);
  const [oldest, ...newer] = others.filter(({ team_id }) => team_id === observation.team_id);
  const kept =
    newer.length + 1 < OBSERVATIONS_OF_TEAM_MAX ? others : others.filter((each) => each !== oldest);
  return [...kept, observation].slice(-OBSERVATIONS_MAX);
}

/** The observations of a team; of one that has none, the newest of each other team, so that no team decides alone. */
function observationsFor(observations: readonly SpeedObservation[], teamId: string): SpeedObservation[] {
  const own = observations.filter(({ team_id }) => team_id === teamId);
  if (own.length > 0) return own;
  const newest = new Map(observations.map((each) => [each.team_id ?? each.run_id, each]));
  return observations.filter((each) => newest.get(each.team_id ?? each.run_id) === each);
}

/** The kind of a run, by all that affects the time of a row: everything except names, texts and the number of rows. */
export function shapeOf(specification: AdaptationSpecification): string {
  const { mapping, max_rows: _rows, image_format: _format, blueprint, verification, ...rest } = specification;
  // Of a row's time it is that of the model.
  const asking = asksModel(specification) ? { verification } : {};
  const kind = { ...rest, ...asking, blueprint: blueprint !== null, has_image: mapping.image !== undefined };
  return sha256Hex(canonicalJson(JSON.parse(JSON.stringify(kind)))).slice(0, 16);
}

/** The work to estimate. */
export interface Work {
  readonly rows: number;
  readonly evaluatedRows: number;
  readonly concurrency: number;
  /** Quoted calls of a row, if its kind differs from those observed; null if it is the same. */
  readonly callsPerRow: number | null;
}

/** Fixed overhead of the work in seconds; more overhead counts as slower rows. */
const WORK_FIXED_SECONDS_MAX = 2;
/** The same for an evaluation. */
const EVALUATION_FIXED_SECONDS_MAX = 3;
/** Shorter calls are too short to estimate the overhead from. */
const UNMEASURABLE_SECONDS = 0.001;

/** Calls of a row are sequential and rows are parallel, so few rows cannot use all the concurrency. */
function idealSeconds(rows: number, secondsPerRow: number, concurrency: number): number {
  return rows === 0 ? 0 : (rows * secondsPerRow) / Math.min(concurrency, rows);
}

/** For a row of another kind, the difference between actual and quoted calls is that of the observed rows. */
function secondsPerRowOf(observed: SpeedObservation, callsPerRow: number | null): number {
  if (callsPerRow === null) return observed.call_seconds / observed.rows;
  const unquoted = observed.calls / observed.rows - observed.quoted_calls_per_row;
  return (observed.call_seconds / observed.calls) * Math.max(1, callsPerRow + unquoted);
}

function secondsLike(observed: SpeedObservation, work: Work): number {
  const before = idealSeconds(observed.rows, observed.call_seconds / observed.rows, observed.concurrency);
  const fixed = Math.min(Math.max(0, observed.work_seconds - before), WORK_FIXED_SECONDS_MAX);
  const slowness = before < UNMEASURABLE_SECONDS ? 1 : (observed.work_seconds - fixed) / before;
  const ideal = idealSeconds(work.rows, secondsPerRowOf(observed, work.callsPerRow), work.concurrency);

  const evaluationFixed = Math.min(observed.evaluation_seconds, EVALUATION_FIXED_SECONDS_MAX);
  const evaluated = idealSeconds(observed.evaluated_rows, 1, observed.concurrency);
  const perEvaluated = evaluated === 0 ? 0 : (observed.evaluation_seconds - evaluationFixed) / evaluated;
  const evaluation = evaluationFixed + perEvaluated * idealSeconds(work.evaluatedRows, 1, work.concurrency);

  return fixed + slowness * ideal + evaluation + observed.other_seconds;
}

/** Newer observations and those of a similar number of rows have more weight. */
function weightOf(observed: SpeedObservation, age: number, rows: number): number {
  return 0.8 ** age / (1 + Math.abs(Math.log2(Math.max(1, rows) / observed.rows))) ** 2;
}

function weightedMean(
  observations: readonly SpeedObservation[],
  rows: number,
  secondsOf: (observed: SpeedObservation) => number,
): number {
  let sum = 0;
  let weights = 0;
  for (const [index, observed] of observations.entries()) {
    const weight = weightOf(observed, observations.length - 1 - index, rows);
    sum += weight * secondsOf(observed);
    weights += weight;
  }
  return sum / weights;
}

/** Estimates the duration of the work from launch to end, from at least one observed run. */
export function estimateSeconds(observations: readonly SpeedObservation[], work: Work): number {
  return weightedMean(observations, work.rows, (observed) => secondsLike(observed, work));
}

/** Model time of a row, in seconds, from at least one observed run. */
export function measuredSecondsPerRow(
  observations: readonly SpeedObservation[],
  callsPerRow: number | null,
): number {
  const newest = observations.at(-1)?.rows ?? 1;
  return weightedMean(observations, newest, (observed) => secondsPerRowOf(observed, callsPerRow));
}

/** Known speeds for a run: observations of its kind, or else of any kind, of its team, or else of others. */
export interface KnownSpeed {
  readonly observations: readonly SpeedObservation[];
  readonly isOfThisKind: boolean;
}

export async function findKnownSpeed(
  store: Pick<SpeedStore, 'findSpeed'>,
  modelId: string | null,
  specification: AdaptationSpecification,
  teamId: string,
): Promise<KnownSpeed> {
  if (modelId === null) return { observations: [], isOfThisKind: false };
  const [own, any] = await Promise.all([
    store.findSpeed(modelId, shapeOf(specification)),
    store.findSpeed(modelId, ANY_SHAPE),
  ]);
  return own.length > 0
    ? { observations: observationsFor(own, teamId), isOfThisKind: true }
    : { observations: observationsFor(any, teamId), isOfThisKind: false };
}
