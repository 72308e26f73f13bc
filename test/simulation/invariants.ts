import { Balance, Hold, LedgerEntry } from '#shared/access/decide/ledger/record.ts';
import { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { canMove } from '#shared/datasets/decide/states.ts';
import { VersionRecord } from '#shared/datasets/decide/versions.ts';
import { cancelRun, endInterruptedRun } from '#shared/lifecycle/background.ts';
import { lists } from '#shared/platform/store/keys.ts';
import type { Item } from '#shared/platform/store/table.ts';
import { RunRecord } from '#shared/runs/decide/record.ts';
import { isAppend, kindOf } from '#shared/runs/decide/run-kinds.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { AnswerInvariants } from './answer-invariants.ts';
import { DeploymentInvariants, type Hosted } from './deployment-invariants.ts';
import { EvalInvariants } from './eval-invariants.ts';
import { WebhookInvariants } from './receivers.ts';
import type { Change } from './simulated-table.ts';
import { TrainingInvariants } from './training-invariants.ts';

/** A broken promise: the invariant by its name, and what was seen. */
export interface Violation {
  readonly invariant: string;
  readonly seen: string;
}

/** What a run did for the model: launched, ended with a bill. */
export interface RunStep {
  readonly team: string;
  readonly run: string;
  readonly step: 'launch' | 'end';
  readonly credits: number;
  readonly status: string;
}

/** What the simulation knows beside the table. */
export interface World {
  /** Whether the execution of a run is going on. */
  readonly isExecuting: (run: RunRecord) => boolean;
  /** Whether the execution of a run was started, be it over or not. */
  readonly hasBegun: (run: RunRecord) => boolean;
  /** Whether an event has come to the receiver at an address. */
  readonly hasReceived: (url: string, eventId: string) => boolean;
  /** How many faults have struck requests to the meter of a team. */
  readonly meterFaults: (teamId: string) => number;
  /** What SageMaker has of deployed models. */
  readonly hosted: Hosted;
  /** Runs that a team may have at once. */
  readonly runsAtOnce: (teamId: string) => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** No request that launches a run takes longer. */
const LAUNCH_MILLISECONDS = 30_000;
/** What a run finds of the rows of a dataset. */
const FOUND_FIELDS = ['manifest_key', 'row_count', 'columns'] as const;
const SETTLED_FIELDS = ['status', 'settled_credits', 'ended_at', 'error_data', 'counts'] as const;

/**
 * What has to be true of the table after every step, whatever failed before. It is told of each write with the items before and
 * after it.
 */
export class Invariants {
  violation: Violation | null = null;
  /** Launches and ends of runs with credits, in their order. */
  readonly steps: RunStep[] = [];
  readonly #balances = new Map<string, Balance>();
  readonly #holds = new Map<string, Hold>();
  readonly #runs = new Map<string, RunRecord>();
  readonly #datasets = new Map<string, DatasetRecord>();
  readonly #entries = new Map<string, Map<string, number>>();
  /** Credits of a team that its entries say are settled for answers. */
  readonly #settledAnswers = new Map<string, number>();
  /** Credits of a team that its entries say are held. */
  readonly #reserved = new Map<string, number>();
  readonly #versions = new Map<string, number>();
  readonly #feed = new Map<string, { id: string; position: number }[]>();
  readonly #sequences = new Map<string, number>();

  readonly #ofTrainings: TrainingInvariants;

  readonly #ofAnswers: AnswerInvariants;

  readonly #ofEvals: EvalInvariants;

  readonly #ofDeployments: DeploymentInvariants;

  readonly #ofWebhooks: WebhookInvariants;
  private readonly tell: (text: string) => void;
  private readonly world: World;

  constructor(tell: (text: string) => void, world: World) {
    this.tell = tell;
    this.world = world;
    this.#ofTrainings = new TrainingInvariants((invariant, seen) => this.breaks(invariant, seen), world.now);
    this.#ofAnswers = new AnswerInvariants((invariant, seen) => this.breaks(invariant, seen), world);
    this.#ofEvals = new EvalInvariants((invariant, seen) => this.breaks(invariant, seen));
    this.#ofDeployments = new DeploymentInvariants(
      (invariant, seen) => this.breaks(invariant, seen),
      world.hosted,
    );
    this.#ofWebhooks = new WebhookInvariants((invariant, seen) => this.breaks(invariant, seen), {
      has: world.hasReceived,
      now: world.now,
    });
  }

  /** Looks at what has to have come by the end, with what is left in the table and in the bucket. */
  lookAtEnd(items: readonly Item[], keys: readonly string[]): void {
    this.#ofWebhooks.lookAtEnd();
    this.#ofAnswers.lookAtEnd();
    this.#ofEvals.lookAtEnd(items, keys, this.world.now());
    this.#ofDeployments.lookAtEnd();
  }

  /** Notes that a caller was given these answers. */
  answersOf(team: string, responseIds: readonly string[]): void {
    this.#ofAnswers.delivered(team, responseIds);
  }

  /** Notes that a run of an eval showed a caller so many answers. */
  evalAnswers(team: string, count: number): void {
    this.#ofAnswers.shown(team, count);
  }

  /** Whether a process has claimed the deployment of this name, if there is one. */
  isClaimedBy(name: string, process: string): boolean {
    return this.#ofDeployments.isClaimedBy(name, process);
  }

  /** Whether there is a deployment of this name. */
  isDeployed(name: string): boolean {
    return this.#ofDeployments.has(name);
  }

  /** Whether something is being done for a deployment, or one has an instance. */
  isDeploying(): boolean {
    return this.#ofDeployments.isBusy();
  }

  get runs(): readonly RunRecord[] {
    return [...this.#runs.values()];
  }

  get datasets(): readonly DatasetRecord[] {
    return [...this.#datasets.values()];
  }

  get trainings(): readonly TrainingRecord[] {
    return this.#ofTrainings.trainings;
  }

  breaks(invariant: string, seen: string): void {
    this.violation ??= { invariant, seen };
  }

  /** Looks at what one write, or one transaction, of a process has changed. */
  look(changes: readonly Change[], writer: string): void {
    try {
      this.#look(changes, writer);
      this.#ofTrainings.look(changes, writer);
      this.#ofWebhooks.look(changes);
      this.#ofAnswers.look(changes);
      this.#ofEvals.look(changes);
      this.#ofDeployments.look(changes);
    } catch (error) {
      // An item that its schema refuses; whoever wrote it must not hear of that.
      this.breaks('items are as their schemas say', error instanceof Error ? error.message : String(error));
    }
  }

  #look(changes: readonly Change[], writer: string): void {
    const touched = new Set<string>();
    const touchedDatasets = new Set<string>();
    const runsFirst = changes.toSorted(
      (a, b) => Number(b.sk.startsWith('RUN#')) - Number(a.sk.startsWith('RUN#')),
    );
    for (const { pk, sk, before, after } of runsFirst) {
      if (sk === 'BALANCE' && after !== undefined) {
        const balance = Balance.parse(after);
        this.#balances.set(balance.team_id, balance);
        touched.add(balance.team_id);
      } else if (sk.startsWith('HOLD#') && after !== undefined) {
        this.#lookAtHold(Hold.parse(after), before);
        touched.add(String(after.team_id));
      } else if (sk.startsWith('LEDGER#')) {
        this.#lookAtEntry(before, after);
      } else if (sk.startsWith('RUN#') && pk.startsWith('DATASET#')) {
        this.#lookAtRun(before, after, writer);
        touched.add(String((after ?? before)?.team_id));
        touchedDatasets.add(pk.slice('DATASET#'.length));
      } else if (sk === 'DATASET') {
        if (changes.length === 1 && before !== undefined && after !== undefined)
          this.#lookAtFindings(before, after);
        this.#lookAtDataset(before, after);
        touchedDatasets.add(pk.slice('DATASET#'.length));
      } else if (sk.startsWith('VERSION#')) {
        this.#lookAtVersion(before, after);
      } else if (pk.startsWith('EVENTS#') && after !== undefined && before === undefined) {
        this.#lookAtEvent(pk.slice('EVENTS#'.length), after);
      }
    }
    for (const team of touched) this.#lookAtTeam(team);
    for (const dataset of touchedDatasets) this.#lookAtRunsOf(dataset);
  }

  #lookAtHold(hold: Hold, before: Item | undefined): void {
    const earlier = before === undefined ? null : Hold.parse(before);
    this.#holds.set(`${hold.team_id} ${hold.run_id}`, hold);
    if (earlier === null && hold.state !== 'held') this.breaks('a hold begins as held', JSON.stringify(hold));
    if (earlier !== null && earlier.state !== 'held' && earlier.state !== hold.state) {
      this.breaks('a hold ends once', `${JSON.stringify(earlier)} became ${JSON.stringify(hold)}`);
    }
    if ((hold.settled_credits ?? 0) > hold.credits)
      this.breaks('a run is billed what it reserved at most', JSON.stringify(hold));
  }

  #lookAtEntry(before: Item | undefined, after: Item | undefined): void {
    if (before !== undefined) {
      if (JSON.stringify(before) !== JSON.stringify(after))
        this.breaks('an entry of the ledger stays as it is', JSON.stringify(before));
      return;
    }
    const entry = LedgerEntry.parse(after);
    if (entry.type === 'grant') {
      return;
    }
    const held = this.#reserved.get(entry.team_id) ?? 0;
    this.#reserved.set(entry.team_id, held + (entry.type === 'reserve' ? 1 : -1) * entry.credits);
    if (entry.block !== null) {
      if (entry.type === 'settle')
        this.#settledAnswers.set(
          entry.team_id,
          (this.#settledAnswers.get(entry.team_id) ?? 0) + entry.credits,
        );
      return;
    }
    const of = this.#entries.get(entry.run_id ?? '') ?? new Map<string, number>();
    this.#entries.set(entry.run_id ?? '', of);
    if (of.has(entry.type)) this.breaks('a run is charged once', `a second ${entry.type} of ${entry.run_id}`);
    of.set(entry.type, entry.credits);
  }

  #lookAtRun(before: Item | undefined, after: Item | undefined, writer: string): void {
    if (after === undefined) {
      this.breaks('a run is never forgotten', JSON.stringify(before));
      return;
    }
    const run = RunRecord.parse(after);
    const earlier = before === undefined ? null : RunRecord.parse(before);
    this.#runs.set(run.run_id, run);
    if (earlier === null) {
      if (run.status !== 'running') this.breaks('a run begins as running', JSON.stringify(run));
      this.tell(
        `the run ${run.run_id} (${run.pipeline}) of team ${run.team_id.slice(0, 4)} on ${run.dataset_id} begins with ${run.reserved_credits} credits`,
      );
      this.steps.push({
        team: run.team_id,
        run: run.run_id,
        step: 'launch',
        credits: run.reserved_credits,
        status: run.status,
      });
      return;
    }
    if (earlier.status === 'running') {
      if (run.status === 'running') return;
      this.tell(
        `the run ${run.run_id} ends: ${run.status}, ${run.settled_credits} credits${run.error_data === null ? '' : `, ${run.error_data.code}`}`,
      );
      this.steps.push({
        team: run.team_id,
        run: run.run_id,
        step: 'end',
        credits: run.settled_credits ?? 0,
        status: run.status,
      });
      if (after.list_pk === lists.activeRuns)
        this.breaks('a run that has ended is not on the list of those that go on', run.run_id);
      if (this.#isFromOutside(writer) && this.world.isExecuting(run))
        this.breaks('no run is given up that goes on', `${run.run_id} (${run.pipeline})`);
      const isLaunching = this.world.now() - Date.parse(run.started_at) < LAUNCH_MILLISECONDS;
      if (writer.startsWith(endInterruptedRun.id) && isLaunching && !this.world.hasBegun(run))
        this.breaks('no run is given up that is being launched', `${run.run_id} (${run.pipeline})`);
      return;
    }
    for (const field of SETTLED_FIELDS) {
      if (JSON.stringify(earlier[field]) !== JSON.stringify(run[field])) {
        this.breaks(
          'a run ends once',
          `${field} of ${run.run_id}: ${JSON.stringify(earlier[field])} became ${JSON.stringify(run[field])}`,
        );
      }
    }
  }

  /** Whether a process ends runs from outside of their executions, which have to be over by then. */
  #isFromOutside(writer: string): boolean {
    return [endInterruptedRun, cancelRun].some(({ id }) => writer.startsWith(`${id}#`));
  }

  /** Notes what was found of rows, by a write of the dataset alone: a run writes it that goes on. */
  #lookAtFindings(before: Item, after: Item): void {
    const isFound = FOUND_FIELDS.some(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
    );
    if (isFound && DatasetRecord.parse(before).run_id === null)
      this.breaks('rows are recorded by the run of their dataset', JSON.stringify(after));
  }

  #lookAtDataset(before: Item | undefined, after: Item | undefined): void {
    if (after === undefined) {
      this.breaks('the item of a dataset stays', JSON.stringify(before));
      return;
    }
    const dataset = DatasetRecord.parse(after);
    this.#datasets.set(dataset.dataset_id, dataset);
    const from = before === undefined ? null : DatasetRecord.parse(before);
    if (dataset.state === 'running' && from?.state !== 'running' && (dataset.pending_appends ?? 0) > 0)
      this.breaks('a run has all rows that were accepted before', JSON.stringify(dataset));
    if (from === null || from.state === dataset.state) return;
    // A run that could not be started leaves its dataset as it was.
    if (from.state === 'running' && from.run_id !== null && this.#isUnstarted(from.run_id)) return;
    if (!canMove(from.state, dataset.state)) {
      this.breaks(
        'a dataset moves as its states allow',
        `${dataset.dataset_id} went from ${from.state} to ${dataset.state}`,
      );
    }
  }

  #lookAtVersion(before: Item | undefined, after: Item | undefined): void {
    const { dataset_id, version } = VersionRecord.parse(after ?? before);
    const last = this.#versions.get(dataset_id) ?? 0;
    if (before !== undefined) return;
    if (version !== last + 1)
      this.breaks('versions of a dataset have no gaps', `${dataset_id}: ${version} after ${last}`);
    this.#versions.set(dataset_id, version);
  }

  /** Whether a dataset and its runs say the same. */
  #lookAtRunsOf(datasetId: string): void {
    const dataset = this.#datasets.get(datasetId);
    if (dataset === undefined) return;
    const active = this.runs.filter((run) => run.dataset_id === datasetId && run.status === 'running');
    // An append whose rows have landed has nothing more to do with them.
    const working = active.filter((run) => !(isAppend(run) && run.version !== undefined));
    if (dataset.state === 'deleted' && working.length > 0)
      this.breaks(
        'nothing is deleted while a run works on it',
        working.map(({ run_id }) => run_id).join(' '),
      );
    const isBusy = dataset.state === 'running' || dataset.state === 'ingesting';
    if (
      isBusy !== (dataset.run_id !== null) ||
      (isBusy && active.every((run) => run.run_id !== dataset.run_id))
    )
      this.breaks(
        'a dataset that runs has its run',
        `${datasetId} is ${dataset.state} with ${dataset.run_id}`,
      );
    const moving = active.filter((run) => kindOf(run).claims === 'dataset');
    if (moving.length > 1)
      this.breaks('a dataset has one run at a time', moving.map(({ run_id }) => run_id).join(' '));
  }

  #isUnstarted(runId: string): boolean {
    return this.#runs.get(runId)?.error_data?.code === 'run_not_started';
  }

  #lookAtEvent(team: string, item: Item): void {
    const event = item as { event?: unknown } & Item;
    const { id, position, dataset_id, sequence } = (event.event ?? event) as {
      id: string;
      position: number;
      dataset_id: string | null;
      sequence: number | null;
    };
    const feed = this.#feed.get(team) ?? [];
    this.#feed.set(team, feed);
    if (feed.some((each) => each.id === id))
      this.breaks('an event is in the feed once', `${id} at ${position}`);
    if (position !== (feed.at(-1)?.position ?? 0) + 1)
      this.breaks('positions of a feed have no gaps', `${position} after ${feed.at(-1)?.position}`);
    feed.push({ id, position });
    if (dataset_id === null || sequence === null) return;
    const last = this.#sequences.get(dataset_id) ?? 0;
    if (sequence !== last + 1)
      this.breaks('events of a dataset come in their order', `${dataset_id}: ${sequence} after ${last}`);
    this.#sequences.set(dataset_id, sequence);
  }

  #lookAtTeam(team: string): void {
    const balance = this.#balances.get(team);
    if (balance === undefined) return;
    const { granted, settled, held, available, active_runs, metered } = balance;
    if (available !== granted - settled - held || available < 0 || held < 0) {
      this.breaks('credits are conserved', JSON.stringify(balance));
    }
    const holds = [...this.#holds.values()].filter((each) => each.team_id === team);
    const open = holds.filter(({ state }) => state === 'held');
    const sum = open.reduce((total, { credits }) => total + credits, 0);
    if (sum + metered !== held)
      this.breaks('what is held are the holds', `${held} of the balance, ${sum} of ${open.length} holds`);
    const reserved = this.#reserved.get(team) ?? 0;
    if (reserved !== held)
      this.breaks('the entries say what is held', `${held} of the balance, ${reserved} of the entries`);
    if (active_runs > this.world.runsAtOnce(team))
      this.breaks('a plan limits runs at once', `${active_runs} runs of ${team}`);
    if (open.length !== active_runs)
      this.breaks('runs at once are counted', `${active_runs} of the balance, ${open.length} holds`);
    const settledSum = holds.reduce((total, each) => total + (each.settled_credits ?? 0), 0);
    const answers = this.#settledAnswers.get(team) ?? 0;
    if (settledSum + answers !== settled)
      this.breaks('what is settled are the bills', `${settled} of the balance, ${settledSum} of holds`);
    for (const { run_id, settled_credits } of holds) {
      const run = this.#runs.get(run_id);
      const isHeld = this.#holds.get(`${team} ${run_id}`)?.state === 'held';
      if (run === undefined) this.breaks('a hold has its run', run_id);
      else if ((run.status === 'running') !== isHeld)
        this.breaks('no hold outlives its run', `${run_id} is ${run.status}`);
      else if (!isHeld && run.settled_credits !== settled_credits)
        this.breaks('run and hold have one bill', run_id);
    }
    for (const run of this.#runs.values()) {
      if (run.team_id !== team || run.status !== 'running' || !kindOf(run).countsAgainstPlan) continue;
      if (!this.#holds.has(`${team} ${run.run_id}`)) this.breaks('a run that counts has a hold', run.run_id);
    }
  }

  /** The ids of the events of a team, in the order of its feed. */
  feedOf(team: string): readonly string[] {
    return (this.#feed.get(team) ?? []).map(({ id }) => id);
  }
}
