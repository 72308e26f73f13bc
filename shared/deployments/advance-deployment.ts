import type { Claims } from '#shared/platform/storage/claims.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import type { TrainingRepository } from '#shared/training/decide/repository.ts';
import { type Hosting, hostingOf } from './decide/hosting.ts';
import { MergeRefused } from './decide/merge.ts';
import {
  DeploymentRefused,
  type EndpointState,
  type ModelEndpoints,
  type ModelImporter,
  NoCapacity,
  type TrainedModelServer,
} from './decide/ports.ts';
import {
  claimOfDeployment,
  copiesFor,
  type DeploymentRecord,
  type DeploymentRepository,
  isDue,
  isIdle,
  isMissing,
  isOverdue,
  minutesOf,
  UNDER_WAY,
  warmedAt,
} from './decide/record.ts';
import { type PrepareWeightsPorts, prepareWeights } from './prepare-weights.ts';

export interface AdvanceDeploymentPorts extends Omit<PrepareWeightsPorts, 'save' | 'objects'> {
  readonly deployments: DeploymentRepository;
  readonly trainings: Pick<TrainingRepository, 'findOfAnyTeam'>;
  readonly objects: PrepareWeightsPorts['objects'] &
    Pick<ObjectStore, 'list' | 'remove' | 'abandonParts' | 'presignGet' | 'head'>;
  readonly claims: Pick<Claims, 'take' | 'release'>;
  /** The credential of a team for a provider; null without one. */
  readonly findConnection: (teamId: string, provider: string) => Promise<string | null>;
  readonly importer: ModelImporter;
  readonly endpoints: ModelEndpoints;
  readonly modelServer: TrainedModelServer;
  readonly idleDays: number | null;
  /** Hours of a day for which the models of a team are kept ready, all together; null if they are not bounded. */
  readonly hoursPerDay: number | null;
  /** Called with an error after which the deployment has failed, or is attempted again. */
  readonly onError: (error: unknown) => void;
  /** Called with a deployment that Amazon SageMaker keeps from being what it was told: no copy comes, or an instance does not end. */
  readonly onOverdue: (record: DeploymentRecord) => void;
}

/** Attempts in a row that fail before the deployment does. */
const FAILURES_MAX = 5;
/** For which weights are merged: a function that is killed each time counts no attempt. */
const PREPARING_HOURS_MAX = 24;
/** After its making, for which an import waits for another one to end, and an endpoint for an instance. */
const IMPORTING_HOURS_MAX = 48;
/** Between two endpoints of which the first failed, since AWS had no instance: it advises to wait for some minutes. */
const RETRY_MINUTES = 10;
/** What is left of the time when work ends, for a part that is under way. */
const RESERVE_MILLISECONDS = 120_000;
/** For which the model server of a laptop may fetch an adapter. */
const URL_SECONDS = 600;

/** The deployment was deleted, or made anew, while a process worked on it. */
class Superseded extends Error {}

/**
 * Does what is due for a deployment, until nothing is or the time is up: merges the weights, has them imported or an endpoint
 * made, looks after that, starts and ends copies of the model, deletes what is to be deleted or was not used. One process works on a deployment at a time. Safe to repeat.
 * @param deadline milliseconds since the epoch at which the function ends
 * @returns what the deployment is then; `gone` if there is none, `busy` if another process works on it
 * @throws what its platform refuses again and again to one that costs money meanwhile: the alarm on failed tasks tells of it
 */
export async function advanceDeployment(
  ports: AdvanceDeploymentPorts,
  experimentId: string,
  deadline: number,
  holder: string,
): Promise<{ status: DeploymentRecord['status'] | 'gone' | 'busy' }> {
  const { deployments, claims, clock } = ports;
  const claim = claimOfDeployment(experimentId);
  const seconds = Math.max(1, Math.ceil((deadline - clock.now()) / 1000));
  if (!(await claims.take(claim, seconds, holder))) return { status: 'busy' };
  try {
    const record = await deployments.find(experimentId);
    if (record === null) return { status: 'gone' };
    if (!isDue(record, ports.idleDays, clock.now())) return { status: record.status };
    try {
      await advance(ports, record, deadline);
    } catch (error) {
      if (!(error instanceof Superseded) && (await noteFailure(ports, experimentId, error))) throw error;
    }
    return { status: (await deployments.find(experimentId))?.status ?? 'gone' };
  } finally {
    await claims.release(claim, holder);
  }
}

async function advance(
  ports: AdvanceDeploymentPorts,
  record: DeploymentRecord,
  deadline: number,
): Promise<void> {
  if (record.status === 'deleting' || isIdle(record, ports.idleDays, ports.clock.now())) {
    return removeDeployment(ports, record);
  }
  if (record.status === 'ready') return setCopies(ports, record);
  const training = await ports.trainings.findOfAnyTeam(record.experiment_id);
  if (training?.best == null || (await ports.objects.head(training.best.artifact_key)) === null) {
    throw new DeploymentRefused('The model was removed together with the dataset that it was trained on.');
  }
  if (record.platform === 'model_server') return serve(ports, record, training);
  if (record.status === 'importing') return follow(ports, record);
  const change = (changes: Partial<DeploymentRecord>): Promise<void> => update(ports, record, changes);
  if (ports.clock.now() - Date.parse(record.created_at) > PREPARING_HOURS_MAX * 3_600_000) {
    throw new DeploymentRefused(
      'The model could not be merged within a day. Download it, and serve it elsewhere.',
    );
  }
  if (record.status === 'queued') await change({ status: 'preparing' });
  // What the region or the account refuses is told before an hour of merging.
  if (record.platform === 'amazon_sagemaker' && record.base === null) {
    await ports.endpoints.prepare(record.name, requireHosting(record));
  }
  const token = await ports.findConnection(record.team_id, 'huggingface');
  const until = deadline - RESERVE_MILLISECONDS;
  const save = (base: NonNullable<DeploymentRecord['base']>): Promise<void> => change({ base, failures: 0 });
  if (!(await prepareWeights({ ...ports, save }, training, record.base, token, until))) return;
  await change({ status: 'importing' });
  await follow(ports, { ...record, status: 'importing' });
}

async function serve(
  ports: AdvanceDeploymentPorts,
  record: DeploymentRecord,
  { best, model, experiment_id }: TrainingRecord,
): Promise<void> {
  const key = best?.gguf_key ?? null;
  if (key === null) throw new DeploymentRefused('The training wrote no adapter that the model server takes.');
  const url = await ports.objects.presignGet(key, URL_SECONDS, 'adapter.gguf', 'application/octet-stream');
  await ports.modelServer.put(model, experiment_id, url);
  await update(ports, record, { status: 'ready', ready_at: timestamp(ports.clock.now()) });
}

const follow = (ports: AdvanceDeploymentPorts, record: DeploymentRecord): Promise<void> =>
  record.platform === 'amazon_sagemaker' ? followEndpoint(ports, record) : followImport(ports, record);

/** Whether what a platform has no room for, or does not finish, is still waited for. */
const isPatient = ({ clock }: AdvanceDeploymentPorts, since: string): boolean =>
  clock.now() - Date.parse(since) < IMPORTING_HOURS_MAX * 3_600_000;

/**
 * Notes what a deployment waits for.
 * @throws {DeploymentRefused} with what is to be done, if it has waited for two days
 */
async function waitFor(
  ports: AdvanceDeploymentPorts,
  record: DeploymentRecord,
  waits_for: NonNullable<DeploymentRecord['waits_for']>,
  refusal: string,
  changes: Partial<DeploymentRecord> = {},
): Promise<void> {
  const waits_since = record.waits_since ?? timestamp(ports.clock.now());
  if (!isPatient(ports, waits_since)) throw new DeploymentRefused(refusal);
  const isNoted = record.waits_for === waits_for && record.waits_since === waits_since;
  if (isNoted && Object.keys(changes).length === 0) return;
  await update(ports, record, { waits_for, waits_since, ...changes });
}

function requireHosting({ model }: DeploymentRecord): Hosting {
  const hosting = hostingOf(model);
  if (hosting === null) throw new DeploymentRefused(`No instance is known that has room for ${model}.`);
  return hosting;
}

/** The files stay: they are read whenever an instance starts. */
async function followEndpoint(ports: AdvanceDeploymentPorts, record: DeploymentRecord): Promise<void> {
  const { experiment_id: id, name } = record;
  const hosting = requireHosting(record);
  const now = ports.clock.now();
  if (record.retry_at !== null) {
    // What failed holds the name.
    if (!(await ports.endpoints.remove(name)) || Date.parse(record.retry_at) > now) return;
    await update(ports, record, { retry_at: null });
  }
  const found = await whileCounted(ports, record, now, () =>
    ports.endpoints.make(name, objectKeys.deployedModel(id, ''), hosting),
  );
  switch (found.state) {
    case 'running':
      return followStart(ports, record, now);
    case 'used_up': {
      const refusal = 'Other models of the team used up the hours of each day. Deploy it again.';
      return waitFor(ports, record, 'hours', refusal);
    }
    case 'no_room': {
      const refusal = `The account of the installation had no room for another ${hosting.instanceType} for two days. Delete the deployment of another training, or ask your operator to raise the quota "${hosting.instanceType} for endpoint usage" of Amazon SageMaker.`;
      return waitFor(ports, record, 'room', refusal);
    }
    case 'no_capacity':
      return waitForCapacity(ports, record, hosting, found.hadInstance);
    case 'failed':
      throw new DeploymentRefused(`Amazon SageMaker did not start the model: ${found.reason}`);
    case 'done':
  }
  await update(ports, record, {
    status: 'ready',
    model_arn: found.modelArn,
    copies: 1,
    copies_seen_at: timestamp(now),
    unsettled_since: null,
    waits_for: null,
    waits_since: null,
    failures: 0,
    ready_at: timestamp(now),
  });
}

/** @throws {DeploymentRefused} if an endpoint that is being made does not come to its end within two days */
async function followStart(
  ports: AdvanceDeploymentPorts,
  record: DeploymentRecord,
  now: number,
): Promise<void> {
  const unsettled_since = record.unsettled_since ?? timestamp(now);
  if (!isPatient(ports, unsettled_since)) {
    throw new DeploymentRefused('Amazon SageMaker did not start the model within two days.');
  }
  if (isOverdue(record, now)) ports.onOverdue(record);
  if (record.unsettled_since === null || record.waits_for !== null) {
    await update(ports, record, { unsettled_since, waits_for: null });
  }
}

/** Has a failed endpoint removed and made again after some minutes, and gives the team's time back if no instance ran. */
async function waitForCapacity(
  ports: AdvanceDeploymentPorts,
  record: DeploymentRecord,
  { instanceType }: Hosting,
  hadInstance: boolean,
): Promise<void> {
  const { deployments, clock } = ports;
  const now = clock.now();
  const refusal = `AWS had no ${instanceType} to give for two days. Deploy it again later, or ask your operator for another region.`;
  const retry_at = timestamp(now + RETRY_MINUTES * 60_000);
  await waitFor(ports, record, 'capacity', refusal, { retry_at, unsettled_since: null, failures: 0 });
  const { warm_until } = (await deployments.find(record.experiment_id)) ?? record;
  if (hadInstance || warm_until === null) return;
  const begun = Date.parse(record.unsettled_since ?? timestamp(now));
  await deployments.giveBack({ ...record, warm_until }, null, begun);
}

/**
 * Counts the time for which an endpoint is made for the team, from before its instance starts. Without minutes that are left no
 * endpoint is begun; one that is begun is made to its end.
 */
async function whileCounted(
  { deployments, hoursPerDay }: AdvanceDeploymentPorts,
  record: DeploymentRecord,
  now: number,
  make: () => Promise<EndpointState>,
): Promise<EndpointState | { readonly state: 'used_up' }> {
  // Not by the minutes that were counted: those of an endpoint before it, for which AWS had no instance, stay.
  const isBegun = record.unsettled_since !== null;
  const minutes = await deployments.keepReady(record, now, minutesOf(hoursPerDay));
  if (minutes === null && !isBegun) return { state: 'used_up' };
  let isStarted = isBegun;
  try {
    const found = await make();
    isStarted ||= found.state !== 'no_room';
    return found;
  } finally {
    if (!isStarted && minutes !== null) {
      const { from, warm_until } = warmedAt(record, now);
      await deployments.giveBack({ ...record, warm_until }, record.warm_until, from);
    }
  }
}

/**
 * Has an instance start with the model that is asked again, or end with the one that is not. What was told is compared with what
 * is there: each minute until it is so, since a copy may never come and an instance never end, and then each quarter of an hour, since an operator may have changed it.
 */
async function setCopies(ports: AdvanceDeploymentPorts, record: DeploymentRecord): Promise<void> {
  const { endpoints } = ports;
  const { name } = record;
  const now = ports.clock.now();
  const copies = copiesFor(record, now);
  try {
    const found = record.copies === copies ? await endpoints.copiesOf(name) : null;
    const isTold = found?.desired === copies;
    if (!isTold && !(await endpoints.setCopies(name, copies))) {
      // Still busy with what it was told before: with a copy that AWS does not bring, perhaps.
      if (isOverdue(record, now)) ports.onOverdue(record);
      if (record.unsettled_since === null)
        await updateReady(ports, record, { unsettled_since: timestamp(now) });
      return;
    }
    const isSettled =
      found !== null && isTold && (copies === 1 ? found.current > 0 : found.current + found.instances === 0);
    // The copy was not there in all the time for which it was to be ready.
    const isMissed = found === null && isMissing(record, now);
    if (isMissed || (!isSettled && found !== null && isOverdue(record, now))) ports.onOverdue(record);
    await updateReady(ports, record, {
      copies,
      copies_seen_at: timestamp(now),
      unsettled_since: isSettled ? null : ((isTold ? record.unsettled_since : null) ?? timestamp(now)),
      failures: 0,
    });
  } catch (error) {
    if (!(error instanceof NoCapacity)) throw error;
    if (copies === 0) {
      // Nobody asks it now, and another endpoint costs the team's minutes: the next one who asks has it made.
      return updateReady(ports, record, {
        copies,
        copies_seen_at: timestamp(now),
        unsettled_since: null,
        failures: 0,
      });
    }
    // Its endpoint cannot start it any more; another one can, from the same files.
    await updateReady(ports, record, {
      status: 'importing',
      model_arn: null,
      copies: null,
      copies_seen_at: null,
      unsettled_since: null,
      waits_for: 'capacity',
      waits_since: timestamp(now),
      retry_at: timestamp(now),
      ready_at: null,
    });
  }
}

async function updateReady(
  { deployments }: Pick<AdvanceDeploymentPorts, 'deployments'>,
  record: DeploymentRecord,
  changes: Partial<DeploymentRecord>,
): Promise<void> {
  if (!(await deployments.update(record, changes, ['ready']))) throw new Superseded();
}

async function followImport(ports: AdvanceDeploymentPorts, record: DeploymentRecord): Promise<void> {
  const { importer } = ports;
  const { experiment_id: id, name } = record;
  const job_arn = record.job_arn ?? (await importer.start(name, objectKeys.deployedModel(id, '')));
  if (job_arn === null) {
    const refusal =
      'The account of the installation had no room for another imported model for two days. Delete the deployment of another training, or ask your operator to raise the quota of imported models of Amazon Bedrock.';
    return waitFor(ports, record, 'room', refusal);
  }
  if (job_arn !== record.job_arn) await update(ports, record, { job_arn, waits_for: null });
  const found = await importer.look(job_arn);
  if (found.state === 'running') return;
  if (found.state === 'failed')
    throw new DeploymentRefused(`Amazon Bedrock did not import the model: ${found.reason}`);
  const units_per_copy = await importer.unitsOf(found.modelArn);
  await update(ports, record, {
    status: 'ready',
    model_arn: found.modelArn,
    units_per_copy,
    failures: 0,
    ready_at: timestamp(ports.clock.now()),
  });
  await removeFiles(ports, record);
}

/** Ends a deployment that is to be deleted, or that nobody has used. What the platform still makes is waited for. */
async function removeDeployment(ports: AdvanceDeploymentPorts, record: DeploymentRecord): Promise<void> {
  const { deployments, importer, endpoints, modelServer } = ports;
  if (record.status === 'ready') {
    const isChanged = await deployments.update(record, { status: 'deleting' }, ['ready']);
    if (!isChanged) throw new Superseded();
  }
  if (record.platform === 'model_server') await modelServer.remove(record.experiment_id);
  else {
    const isGone =
      record.platform === 'amazon_sagemaker'
        ? await endpoints.remove(record.name)
        : await removeImported(importer, record);
    if (!isGone) return;
    await removeFiles(ports, record);
  }
  // What is deleted because it failed stays with its reason, until it is deployed or deleted again.
  const hasFailed =
    record.reason !== null && (await deployments.update(record, { status: 'failed' }, ['deleting']));
  if (!hasFailed) await deployments.remove(record);
}

/** Deletes what was imported. @returns false while an import goes on, which nothing can stop */
async function removeImported(importer: ModelImporter, record: DeploymentRecord): Promise<boolean> {
  const job = record.job_arn ?? (await importer.findJob(record.name));
  const found = record.model_arn === null && job !== null ? await importer.look(job) : null;
  if (found?.state === 'running') return false;
  const modelArn = record.model_arn ?? (found?.state === 'done' ? found.modelArn : null);
  if (modelArn !== null) await importer.remove(modelArn);
  return true;
}

/** Deletes the files that were made for the platform, and uploads that were not finished. */
async function removeFiles(
  { objects }: AdvanceDeploymentPorts,
  { experiment_id: id, base }: DeploymentRecord,
): Promise<void> {
  for (const { name, upload_id } of base?.files ?? []) {
    if (upload_id !== null) await objects.abandonParts(objectKeys.deployedModel(id, name), upload_id);
  }
  const keys: string[] = [];
  for await (const key of objects.list(objectKeys.deployment(id))) keys.push(key);
  if (keys.length > 0) await objects.remove(keys);
}

async function update(
  { deployments }: Pick<AdvanceDeploymentPorts, 'deployments'>,
  record: DeploymentRecord,
  changes: Partial<DeploymentRecord>,
): Promise<void> {
  if (!(await deployments.update(record, changes, UNDER_WAY))) throw new Superseded();
}

/** @returns whether a deployment that costs money is stuck: an operator has to look */
async function noteFailure(
  ports: AdvanceDeploymentPorts,
  experimentId: string,
  error: unknown,
): Promise<boolean> {
  const { deployments, onError } = ports;
  onError(error);
  const record = await deployments.find(experimentId);
  if (record === null) return false;
  const failures = record.failures + 1;
  const isStuck = failures >= FAILURES_MAX && (record.status === 'ready' || record.status === 'deleting');
  const isRefused = error instanceof DeploymentRefused || error instanceof MergeRefused;
  // A model that answers is not taken away because its platform does not answer for some minutes.
  if (!isRefused && (failures < FAILURES_MAX || record.status === 'ready')) {
    await deployments.update(record, { failures }, [...UNDER_WAY, 'ready', 'deleting']);
    return isStuck;
  }
  const reason = isRefused
    ? error.message
    : 'The platform did not take the model in five attempts. Deploy it again later, or ask your operator.';
  // What is to be deleted stays so, and is tried again each minute.
  const status = mayHaveMade(record, isRefused) ? 'deleting' : 'failed';
  const isEnded = await deployments.update(record, { status, reason, failures }, [...UNDER_WAY, 'ready']);
  if (isEnded && status === 'failed') await removeFiles(ports, record);
  return isStuck && !isRefused;
}

/** Whether the platform may have something of a deployment that fails. An import that is refused has made nothing. */
function mayHaveMade({ platform, status }: DeploymentRecord, isRefused: boolean): boolean {
  if (status !== 'importing' && status !== 'ready') {
    return status === 'preparing' && platform === 'amazon_sagemaker';
  }
  return platform === 'amazon_sagemaker' || (platform === 'amazon_bedrock' && !isRefused);
}
