import * as z from 'zod';
import { timestamp } from '#shared/platform/timestamp.ts';
import { DeploymentPlatform, DeploymentStatus } from '../schema/deployment.ts';

const Timestamp = z.iso.datetime();
const MINUTE = 60_000;

/** A file of the base model's weights, and how far it is merged. */
export const WeightsFile = z.object({
  name: z.string(),
  bytes: z.int().min(1),
  /** The multipart upload that holds the parts; null before the first. */
  upload_id: z.string().nullable(),
  /** Those of the parts that are uploaded, in order. */
  etags: z.array(z.string()),
  is_done: z.boolean(),
});
export type WeightsFile = z.infer<typeof WeightsFile>;

/** The deployment of a training's model, as stored. */
export const DeploymentRecord = z.object({
  experiment_id: z.uuid(),
  dataset_id: z.uuid(),
  team_id: z.string(),
  /** The base model. */
  model: z.string(),
  platform: DeploymentPlatform,
  status: DeploymentStatus.exclude(['not_deployed']),
  /** What the platform calls the model: no two deployments have the same name. */
  name: z.string(),
  /** The commit of the base model that is merged, and its weights; null before they are known, and for what is not merged. */
  base: z.object({ revision: z.string(), files: z.array(WeightsFile) }).nullable(),
  /** The import of Amazon Bedrock; null before it is requested. */
  job_arn: z.string().nullable(),
  /** The imported model, or the inference component of Amazon SageMaker; null until it answers. */
  model_arn: z.string().nullable(),
  units_per_copy: z.int().min(0).nullable(),
  /** Copies of the model that Amazon SageMaker was told to keep; null elsewhere. */
  copies: z.int().min(0).max(1).nullable().default(null),
  /** When Amazon SageMaker was last told, or asked, how many copies there are; null before. */
  copies_seen_at: Timestamp.nullable().default(null),
  /** Since when Amazon SageMaker makes the endpoint, or has other copies than it was told; null where it has what it was told. */
  unsettled_since: Timestamp.nullable().default(null),
  /** What the deployment waits for: instances that AWS lacks, a quota of the account, or the hours of the team's next day. */
  waits_for: z.enum(['capacity', 'room', 'hours']).nullable().default(null),
  /** When it began to wait; null where it did not since it was last ready. */
  waits_since: Timestamp.nullable().default(null),
  /** When what AWS lacked is asked for again; null while nothing is to be removed before. */
  retry_at: Timestamp.nullable().default(null),
  /** Until when the platform keeps the model ready, from the start of its first instance or its last use; null before. */
  warm_until: Timestamp.nullable().default(null),
  /** Attempts at the work since the last one that got on. */
  failures: z.int().min(0),
  reason: z.string().nullable(),
  created_at: Timestamp,
  ready_at: Timestamp.nullable(),
  last_used_at: Timestamp.nullable(),
});
export type DeploymentRecord = z.infer<typeof DeploymentRecord>;

/** The trainings of a team that are deployed. Some of those that are stored may have ended or failed since. */
export interface TeamDeployments {
  readonly experiment_ids: readonly string[];
  /** Counts the changes; 0 before the first. */
  readonly version: number;
}

export interface DeploymentRepository {
  find(experimentId: string): Promise<DeploymentRecord | null>;
  /** What is stored of a team's deployments; null before the first that was stored so. */
  findOfTeam(teamId: string): Promise<TeamDeployments | null>;
  /**
   * Stores a new deployment, or one in the place of a failed one, together with the team's deployments.
   * @param after the deployments of the team, with this one, and the version that was read
   * @returns `exists` if there is another of this training, `changed` if the team's deployments have changed since they were read
   */
  create(record: DeploymentRecord, after: TeamDeployments): Promise<'created' | 'exists' | 'changed'>;
  /** Changes a deployment of this name and one of these states; false if it is not there any more. */
  update(
    record: Pick<DeploymentRecord, 'experiment_id' | 'name'>,
    changes: Partial<DeploymentRecord>,
    while_: readonly DeploymentRecord['status'][],
  ): Promise<boolean>;
  remove(record: Pick<DeploymentRecord, 'experiment_id' | 'name'>): Promise<void>;
  /**
   * Keeps a model ready from now on, and counts the minutes for its team, in one write.
   * @param minutesMax of the team's days (UTC), each of which counts the minutes that begin in it; null without a bound
   * @returns the minutes that were counted; null if those of a day are used up
   */
  keepReady(record: DeploymentRecord, now: number, minutesMax: number | null): Promise<number | null>;
  /**
   * Takes back what was counted for a model of which no instance was started, of each day what was counted of it.
   * @param record as it is stored since
   * @param until until when it was kept ready before; null if it was not
   * @param from when the time begins that is taken back, in milliseconds since the epoch; it ends with the record's `warm_until`
   */
  giveBack(record: DeploymentRecord, until: string | null, from: number): Promise<void>;
  /** Minutes of the day (UTC) of a moment for which a team's models were kept ready, or will be. */
  readyMinutes(teamId: string, now: number): Promise<number>;
  /** All deployments of the installation, oldest first. */
  list(): AsyncIterable<DeploymentRecord>;
}

/** The deployments as those see them who answer with their models. */
export interface ServedDeployments extends Pick<DeploymentRepository, 'find' | 'list' | 'readyMinutes'> {
  /**
   * Notes that the model is asked, in milliseconds since the epoch: once a minute until when it is ready, once an hour that it was used.
   * @returns false if the minutes of its team are used up: then it is not to be asked
   */
  noteUse(record: DeploymentRecord, now: number, minutesMax: number | null): Promise<boolean>;
}

/** States in which work is under way that ends in `ready`. */
export const UNDER_WAY = ['queued', 'preparing', 'importing'] as const;

/** The claim that a process holds while it works on a deployment. */
export const claimOfDeployment = (experimentId: string): string => `deployment#${experimentId}`;

/** When a deployment is deleted that nobody uses, in milliseconds since the epoch; null if it is not ready. */
export function idleUntil(
  { status, ready_at, last_used_at }: Pick<DeploymentRecord, 'status' | 'ready_at' | 'last_used_at'>,
  idleDays: number | null,
): number | null {
  if (status !== 'ready' || ready_at === null || idleDays === null) return null;
  return Date.parse(last_used_at ?? ready_at) + idleDays * 86_400_000;
}

/**
 * Minutes for which a platform keeps a model ready after it was asked: Amazon Bedrock bills windows of five, and an answer of an
 * endpoint of SageMaker takes a quarter of an hour at most, which its instance has to outlive.
 */
export const WARM_MINUTES: Readonly<Record<DeploymentPlatform, number>> = {
  amazon_bedrock: 5,
  amazon_sagemaker: 20,
  model_server: 0,
};

/** What a use, or a minute of the start, at this moment adds to the time for which a model is kept ready. Time that overlaps counts once. */
export function warmedAt(
  { platform, warm_until }: Pick<DeploymentRecord, 'platform' | 'warm_until'>,
  now: number,
): { readonly from: number; readonly warm_until: string; readonly minutes: number } {
  // In whole milliseconds, as times are stored: else what is counted and what is given back would differ by a minute.
  const from = Math.floor(Math.max(now, warm_until === null ? now : Date.parse(warm_until)));
  const until = now + WARM_MINUTES[platform] * MINUTE;
  const minutes = Math.max(0, Math.floor((until - from) / MINUTE));
  return { from, warm_until: timestamp(from + minutes * MINUTE), minutes };
}

const DAY = 86_400_000;

/** The day (UTC) of a moment. */
export const dayOf = (now: number): string => timestamp(now).slice(0, 10);

/** The whole minutes of a time, by the days (UTC) in which they begin. Both ends are in milliseconds since the epoch. */
export function minutesByDay(
  from: number,
  until: number,
): readonly { readonly day: string; readonly minutes: number }[] {
  const days: { day: string; minutes: number }[] = [];
  for (let at = from; until - at >= MINUTE; ) {
    const midnight = (Math.floor(at / DAY) + 1) * DAY;
    const minutes = Math.min(Math.ceil((midnight - at) / MINUTE), Math.floor((until - at) / MINUTE));
    days.push({ day: dayOf(at), minutes });
    at += minutes * MINUTE;
  }
  return days;
}

/** The minutes of a day for which a team's models are kept ready; null if they are not bounded. */
export const minutesOf = (hoursPerDay: number | null): number | null =>
  hoursPerDay === null ? null : hoursPerDay * 60;

/** Copies of a model that Amazon SageMaker is to keep. */
export const copiesFor = ({ warm_until }: Pick<DeploymentRecord, 'warm_until'>, now: number): 0 | 1 =>
  warm_until !== null && Date.parse(warm_until) > now ? 1 : 0;

/** Whether a deployment that answers has not been used for so long that it is deleted. */
export function isIdle(
  record: Parameters<typeof idleUntil>[0],
  idleDays: number | null,
  now: number,
): boolean {
  const until = idleUntil(record, idleDays);
  return until !== null && until <= now;
}

/** After which copies are compared with what Amazon SageMaker has: an instance that ends takes some minutes. */
const SEEN_MINUTES = 15;

/** Whether nobody has looked for a while whether an endpoint has the copies that it was told to have. */
const isUnseen = ({ copies_seen_at }: Pick<DeploymentRecord, 'copies_seen_at'>, now: number): boolean =>
  copies_seen_at === null || now - Date.parse(copies_seen_at) >= SEEN_MINUTES * MINUTE;

/** After which a copy that does not come, or an instance that does not end, is told to the operator: a start takes up to half of it. */
const OVERDUE_MINUTES = 45;

/** For which a copy may start: less than the shortest time for which it is to be ready. */
const START_MINUTES = 18;

const unsettledFor = ({ unsettled_since }: Pick<DeploymentRecord, 'unsettled_since'>, now: number): number =>
  unsettled_since === null ? 0 : (now - Date.parse(unsettled_since)) / MINUTE;

/** Whether no copy has come, although it was time. */
export const isMissing = (
  record: Pick<DeploymentRecord, 'copies' | 'unsettled_since'>,
  now: number,
): boolean => record.copies === 1 && unsettledFor(record, now) >= START_MINUTES;

/** Whether an endpoint is not what Amazon SageMaker was told for longer than that takes. */
export const isOverdue = (record: Pick<DeploymentRecord, 'unsettled_since'>, now: number): boolean =>
  unsettledFor(record, now) >= OVERDUE_MINUTES;

/** Whether something is to be done for a deployment. */
export function isDue(record: DeploymentRecord, idleDays: number | null, now: number): boolean {
  if (record.status === 'failed') return false;
  if (record.status !== 'ready' || isIdle(record, idleDays, now)) return true;
  return (
    record.platform === 'amazon_sagemaker' &&
    (record.copies !== copiesFor(record, now) || record.unsettled_since !== null || isUnseen(record, now))
  );
}

/** Share of the work that is done, in percent. An import takes some ten minutes, of which nobody tells the course. */
export function progressOf({ status, base }: Pick<DeploymentRecord, 'status' | 'base'>): number {
  if (status === 'ready') return 100;
  if (status === 'importing') return 80;
  if (status !== 'preparing' || base === null) return 0;
  const total = base.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const done = base.files.reduce(
    (sum, { bytes, etags, is_done }) => sum + (is_done ? bytes : Math.min(bytes, etags.length * PART_BYTES)),
    0,
  );
  return total === 0 ? 5 : 5 + Math.floor((70 * done) / total);
}

/** Bytes of a part: a file has 10,000 parts at most, each of 5 MiB at least. */
export const PART_BYTES = 64 * 1024 * 1024;
