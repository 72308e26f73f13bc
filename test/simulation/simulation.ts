import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { writeMetrics } from '#shared/platform/runtime/metrics.ts';
import { DEFAULT_PLAN } from '#shared/platform/schema/plan.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { lists } from '#shared/platform/store/keys.ts';
import { keepKey } from '#test/helpers/evaluating.ts';
import { createStores } from '#test/helpers/memory-store.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { Callers } from './callers.ts';
import type { Cloud } from './cloud.ts';
import { countAgain } from './count-again.ts';
import { Faults, type StruckFault } from './faults.ts';
import { Invariants, type RunStep, type Violation } from './invariants.ts';
import { validate } from './ledger-model.ts';
import { Meetings } from './meetings.ts';
import type { Globals } from './patch-globals.ts';
import { createSeededRandom } from './random.ts';
import { createService, type Service } from './service.ts';
import { describeSwarm, drawSwarm } from './swarm.ts';
import { START_MS, WorldClock } from './world-clock.ts';

export interface SimulationOptions {
  readonly seed: number;
  /** Teams at most. */
  readonly teams?: number;
  /** People of each kind in a team at most. */
  readonly people?: number;
  /** Kinds of faults that do not strike, and of people who do not come. */
  readonly without?: readonly string[];
  readonly skipped?: ReadonlySet<number>;
}

export interface StoryLine {
  readonly atMs: number;
  readonly step: number;
  readonly text: string;
}

export interface SimulationResult {
  readonly seed: number;
  readonly violation: Violation | null;
  readonly story: readonly StoryLine[];
  readonly faults: readonly StruckFault[];
  readonly points: number;
  readonly steps: number;
  readonly answers: number;
  readonly virtualMs: number;
  readonly teams: number;
  /** Kinds of people who came. */
  readonly kinds: readonly string[];
  readonly runSteps: readonly RunStep[];
  /** A number that two runs of a seed have in common only if they went the same way. */
  readonly fingerprint: string;
}

/** Credits that a team may have: enough for everything, or too few. */
const CREDITS = [40, 40, 3] as const;
/** Runs that a team may have at once. */
const RUNS_AT_ONCE = [5, 5, 1] as const;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Faults strike for a day. */
const FAULTS_MILLISECONDS = DAY;
/** Everything has to be quiet by then. */
const QUIET_MILLISECONDS = FAULTS_MILLISECONDS + 26 * HOUR;
/** Time for what goes on without callers after they have left: sweeps, events. */
const SETTLING_MILLISECONDS = HOUR;
const LOOKING_MILLISECONDS = 60_000;

/** Runs one simulation to its end, or to the first broken invariant. */
export async function simulate(globals: Globals, options: SimulationOptions): Promise<SimulationResult> {
  const { seed, without = [], teams: teamsMax = Infinity, people: peopleMax = Infinity } = options;
  const clock = new WorldClock();
  const random = createSeededRandom(seed);
  const story: StoryLine[] = [];
  const tell = (text: string): void => void story.push({ atMs: clock.now(), step: clock.steps, text });
  // Loaded once a process: the first simulation must not differ from the others.
  await loadLanguageDetector();
  // What an earlier simulation of this process has measured would draw random numbers in this one.
  writeMetrics();
  globals.use(clock, random.fork('globals'));
  const swarm = drawSwarm(random.fork('swarm'));
  tell(describeSwarm(swarm));
  const teamCount = Math.min(teamsMax, swarm.teams);
  const faults = new Faults(
    random.fork('faults'),
    swarm.rates,
    { without, ...(options.skipped === undefined ? {} : { skipped: options.skipped }) },
    tell,
  );
  faults.isOver = true;
  const cloud: Cloud = {
    clock,
    swarm,
    faults,
    random: random.fork('cloud'),
    meetings: new Meetings({ clock, random: random.fork('meetings') }, swarm.standingMilliseconds),
    tell,
    breaks: (invariant, seen) => invariants.breaks(invariant, seen),
  };
  const plans = random.fork('plans');
  const trainer = swarm.kinds.has('trains') ? swarm.trainer : null;
  const settings = {
    MODEL_CONCURRENCY: '8',
    MODEL_ID_REWRITE: 'scripted',
    MODEL_ID_JUDGE: '',
    TRAINERS: trainer ?? 'embedded',
    ...(trainer === null ? {} : { TRAINED_MODELS: swarm.platform, TRAINED_MODELS_HOURS: '2' }),
    STAGE: 'simulated',
    AWS_REGION: 'eu-central-1',
    BUCKET_NAME: 'data',
    FUNCTION_NAME_TASKS_ATTEMPTS_LEND_CREDENTIALS: 'lend-credentials',
  };
  const teams: Caller[] = [];
  const granted = new Map<string, number>();
  const service = createService(
    cloud,
    { settings, trainer },
    (changes, writer) => invariants.look(changes, writer),
    {
      has: (name) => invariants.isDeployed(name),
      isClaimedBy: (name, process) => invariants.isClaimedBy(name, process),
    },
  );
  const invariants = new Invariants(tell, {
    isExecuting: ({ pipeline, run_id }) => service.machines.isRunning(pipeline, run_id),
    hasBegun: ({ pipeline, run_id }) => service.machines.hasBegun(pipeline, run_id),
    meterFaults: (teamId) =>
      story.filter(({ text }) => text.startsWith('fault ') && text.includes(`METER#${teamId}`)).length,
    hasReceived: (url, eventId) => service.receivers.has(url, eventId),
    now: () => clock.now(),
    hosted: {
      names: () => [...service.endpoints.names(), ...service.imports.names()],
      running: () => service.endpoints.running(),
    },
    runsAtOnce: (teamId) => teams.find(({ team_id }) => team_id === teamId)?.plan.runs_at_once ?? 0,
  });

  const store = createStores(service.table.atOnce);
  // The last one only looks at what is not its own.
  for (let n = 0; n <= teamCount; n += 1) {
    const credits = plans.pick(CREDITS);
    const plan = { ...DEFAULT_PLAN, name: `plan-${n}`, runs_at_once: plans.pick(RUNS_AT_ONCE) };
    const team = await seedTeam(store, credits, { plan });
    await keepKey(store.access, team);
    teams.push(team);
    granted.set(team.team_id, credits);
  }
  faults.isOver = false;

  service.begin();
  const callers = new Callers(service, cloud, invariants, random.fork('callers'), {
    teams: teams.slice(0, -1),
    strangers: teams.slice(1),
    peopleMax,
    without,
  });
  callers.begin();
  clock.after(FAULTS_MILLISECONDS, () => {
    faults.isOver = true;
    tell('no more faults from here on');
  });

  let quietSince: number | null = null;
  let looksAt = 0;
  const isOver = (): boolean => {
    if (invariants.violation !== null) return true;
    const now = clock.now();
    if (callers.active > 0) return now - START_MS > QUIET_MILLISECONDS;
    quietSince ??= now;
    faults.isOver = true;
    // Not at each step, for it looks at the whole table.
    if (now < Math.max(looksAt, quietSince + SETTLING_MILLISECONDS)) return false;
    looksAt = now + LOOKING_MILLISECONDS;
    return isQuiet(service, invariants, now);
  };
  const isQuiet = (given: typeof service, seen: Invariants, now: number): boolean =>
    (given.machines.running().length === 0 &&
      given.jobs.running().length === 0 &&
      !seen.isDeploying() &&
      seen.runs.every(({ status }) => status !== 'running') &&
      given.table.items().every(({ pk }) => !String(pk).startsWith('DUE_DELIVERIES#')) &&
      given.table.items().every(({ list_pk }) => list_pk !== lists.evalRemovals) &&
      // What trainers wrote after they were revoked is removed two hours later.
      given.table.items().every(({ list_pk }) => list_pk !== lists.revokedAttempts)) ||
    now - START_MS > QUIET_MILLISECONDS;
  await clock.run(isOver, () => {});

  if (invariants.violation === null) await checkEnd();
  if (invariants.violation !== null)
    tell(`BROKEN: ${invariants.violation.invariant}: ${invariants.violation.seen}`);

  async function checkEnd(): Promise<void> {
    if (callers.active > 0)
      invariants.breaks('what begins ends', `callers still wait: ${JSON.stringify([...callers.waiting])}`);
    for (const run of invariants.runs) {
      if (run.status === 'running')
        invariants.breaks('what begins ends', `the run ${run.run_id} (${run.pipeline})`);
    }
    for (const name of service.machines.running())
      invariants.breaks('what begins ends', `the execution ${name}`);
    const items = service.table.items();
    for (const { pk, sk } of items) {
      if (String(pk).startsWith('OUTBOX#')) invariants.breaks('every event is published', `${pk} ${sk}`);
    }
    for (const dataset of invariants.datasets) {
      if (dataset.state === 'ingesting' || dataset.state === 'running')
        invariants.breaks('what begins ends', `the dataset ${dataset.dataset_id} is ${dataset.state}`);
      if ((dataset.pending_appends ?? 0) !== 0)
        invariants.breaks(
          'what begins ends',
          `the dataset ${dataset.dataset_id} waits for ${dataset.pending_appends} appends`,
        );
      if (dataset.state !== 'deleted') continue;
      checkErased(service, invariants, dataset.dataset_id);
    }
    checkTrainings(service, invariants);
    for (const run of invariants.runs) await countAgain(service.objects, invariants, run);
    const filled: string[] = [];
    for (const key of service.objects.atOnce.keys()) {
      if ((await service.objects.atOnce.head(key))?.bytes !== 0) filled.push(key);
    }
    invariants.lookAtEnd(items, filled);
    for (const run of invariants.runs) {
      if (run.status === 'running') continue;
      const ended = items.filter(
        (item) =>
          String(item.pk).startsWith(`EVENTS#${run.team_id}`) &&
          JSON.stringify(item).includes(`_id":"${run.run_id}"`) &&
          /"type":"(run\.ended|pilot\.ended|dataset\.read|training\.ended)"/.test(JSON.stringify(item)),
      );
      const isUnstarted = run.error_data?.code === 'run_not_started';
      if (ended.length !== 1 && !isUnstarted)
        invariants.breaks(
          'the end of a run is told once',
          `${run.run_id} (${run.pipeline}): ${ended.length} events`,
        );
    }
    for (const team of teams) {
      const steps = invariants.steps.filter((each) => each.team === team.team_id);
      const unlike = validate(granted.get(team.team_id) ?? 0, steps);
      if (unlike !== null) invariants.breaks('the ledger does what its model allows', unlike);
      for (const id of invariants.feedOf(team.team_id)) {
        if (!service.published.has(id)) invariants.breaks('every event is published', id);
      }
    }
  }

  const text = story.map(({ atMs, step, text: line }) => `${atMs} ${step} ${line}`).join('\n');
  return {
    seed,
    violation: invariants.violation,
    story,
    faults: faults.struck,
    points: faults.points,
    steps: clock.steps,
    answers: callers.answers,
    virtualMs: clock.now() - START_MS,
    teams: teamCount,
    kinds: [...swarm.kinds].filter((kind) => !without.includes(kind)),
    runSteps: invariants.steps,
    fingerprint: fingerprintOf(text),
  };
}

/** Whether nothing is left of a deleted dataset, and of its runs. */
function checkErased({ objects }: Service, invariants: Invariants, datasetId: string): void {
  const runs = invariants.runs.filter(({ dataset_id }) => dataset_id === datasetId);
  const prefixes = [
    objectKeys.dataset(datasetId),
    objectKeys.exports(datasetId),
    ...runs.flatMap(({ run_id }) => [
      objectKeys.run(run_id),
      objectKeys.imports(run_id),
      objectKeys.conversions(run_id),
    ]),
  ];
  const left = objects.atOnce.keys().filter((key) => prefixes.some((prefix) => key.startsWith(prefix)));
  if (left.length > 0) invariants.breaks('what is deleted is erased', `${datasetId}: ${left.join(' ')}`);
}

/** Whether what trainings have taken is given back: machines, their dataset, and what their trainers have written. */
function checkTrainings({ jobs, table, objects }: Service, invariants: Invariants): void {
  for (const name of jobs.running())
    invariants.breaks('what is taken is given back', `the training job ${name}`);
  for (const { pk, sk, experiment_id } of table.items()) {
    if (sk === 'ACTIVE_TRAINING') invariants.breaks('what is taken is given back', `${pk}: ${experiment_id}`);
  }
  const keys = objects.atOnce.keys();
  for (const { experiment_id: id, dataset_id, best } of invariants.trainings) {
    const own = keys.filter((key) => key.startsWith(objectKeys.training(id)));
    const isDeleted = invariants.datasets.some(
      (dataset) => dataset.dataset_id === dataset_id && dataset.state === 'deleted',
    );
    if (isDeleted && own.length > 0) invariants.breaks('what is deleted is erased', own.join(' '));
    const models = own.filter((key) => key.endsWith('/artifact.tar.gz') && key.includes('/attempts/'));
    const late = models.filter((key) => key !== best?.artifact_key);
    if (late.length > 0) invariants.breaks('what late trainers write is removed', late.join(' '));
  }
}

/** FNV-1a, 32 bits. */
function fingerprintOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let n = 0; n < text.length; n += 1) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
