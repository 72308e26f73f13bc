import { type Balance, emptyBalance, Hold, LedgerEntry } from '#shared/access/decide/ledger/record.ts';
import { lowCredits } from '#shared/access/decide/low-credits.ts';
import { refusalOfVoucher } from '#shared/access/decide/vouchers/record.ts';
import { moveBalance, putEntry, readBalance } from '#shared/access/store/balance.ts';
import { claimIdempotencyKey, readIdempotencyRecord } from '#shared/access/store/idempotency.ts';
import { readVoucher, redeemVoucher } from '#shared/access/store/vouchers.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { VersionRecord } from '#shared/datasets/decide/versions.ts';
import { datasetFields, datasetItem, readDataset, stateAllows } from '#shared/datasets/store/datasets.ts';
import { putVersion } from '#shared/datasets/store/versions.ts';
import { putEvent, transactWithEvent } from '#shared/events/store/put-event.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { keys, lists, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import {
  type Action,
  assign,
  getItem,
  type Item,
  queryPartition,
  type Table,
  transact,
} from '#shared/platform/store/table.ts';
import { endedEvent } from '../decide/ended-event.ts';
import { endedDataset, endedHold, endedRun, endedVersion, endingEntries } from '../decide/ledger/ending.ts';
import {
  activeState,
  launchedDataset,
  PENDING_APPENDS_MAX,
  refusalOfLaunch,
  reservation,
} from '../decide/ledger/launch.ts';
import type { Ending, Launch, Ledger } from '../decide/ledger/repository.ts';
import type { RunRecord } from '../decide/record.ts';
import { isAppend, kindOf } from '../decide/run-kinds.ts';
import type { Companion, CompanionEnd, Companions, Writes } from './companion.ts';
import { activeRunItem, readRun } from './runs.ts';

/** How often a transaction is rebuilt after a concurrent change. */
const REBUILDS_MAX = 5;

function changedTooOften(): ServiceError {
  return new ServiceError('service_unavailable', 'The service is busy. Try again in a moment.', {
    retryAfterSeconds: 1,
  });
}

const HAS_ROWS = {
  text: 'row_count > :none AND attribute_type(manifest_key, :text)',
  values: { ':none': 0, ':text': 'S' },
} as const;

/** A run includes all rows whose append was accepted before. */
const HAS_ALL_ROWS = {
  text: `${HAS_ROWS.text} AND (attribute_not_exists(pending_appends) OR pending_appends = :none)`,
  values: HAS_ROWS.values,
} as const;

/** That no other version came to the dataset since a launch was decided. */
function followsLatest({ version }: VersionRecord): { text: string; values: Item } {
  const first = version === 2 ? 'attribute_not_exists(latest_version) OR ' : '';
  return { text: `(${first}latest_version = :latest)`, values: { ':latest': version - 1 } };
}

function appendLaunch({ dataset_id, team_id }: RunRecord): Action {
  return {
    Update: {
      Key: keys.dataset(dataset_id),
      UpdateExpression: 'ADD pending_appends :one',
      ConditionExpression:
        `team_id = :team AND #state IN (:waiting, :running, :succeeded, :failed) AND ${HAS_ROWS.text}` +
        ' AND (attribute_not_exists(pending_appends) OR pending_appends < :most)',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: {
        ...HAS_ROWS.values,
        ':team': team_id,
        ':one': 1,
        ':most': PENDING_APPENDS_MAX,
        ':waiting': 'awaiting_input',
        ':running': 'running',
        ':succeeded': 'succeeded',
        ':failed': 'failed',
      },
    },
  };
}

/** An append that ends without its rows no longer waits. */
function appendEnd({ dataset_id }: RunRecord): Action {
  return {
    Update: {
      Key: keys.dataset(dataset_id),
      UpdateExpression: 'ADD pending_appends :less',
      ConditionExpression: 'pending_appends >= :one',
      ExpressionAttributeValues: { ':less': -1, ':one': 1 },
    },
  };
}

/** Marks the pilot as the active one of its dataset, which cannot be deleted meanwhile. */
function pilotLaunch({ dataset_id, run_id }: RunRecord): Action {
  return {
    Put: {
      Item: { ...keys.activePilot(dataset_id), run_id },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

function pilotEnd({ dataset_id, run_id }: RunRecord): Action {
  return {
    Delete: {
      Key: keys.activePilot(dataset_id),
      ConditionExpression: 'run_id = :run',
      ExpressionAttributeValues: { ':run': run_id },
    },
  };
}

async function readActivePilot(table: Table, datasetId: string): Promise<string | null> {
  const item = await getItem(table, keys.activePilot(datasetId));
  return item === null ? null : String(item.run_id);
}

/** Checks that a training finds a result; the dataset stays as it is. */
function checkResult({ dataset_id, team_id }: RunRecord): Action {
  return {
    ConditionCheck: {
      Key: keys.dataset(dataset_id),
      // What `hasResult` is of a stored dataset.
      ConditionExpression:
        'team_id = :team AND (#state = :ready OR (#state IN (:failed, :waiting) AND attribute_exists(#result)))',
      ExpressionAttributeNames: { '#state': 'state', '#result': 'result' },
      ExpressionAttributeValues: {
        ':team': team_id,
        ':ready': 'succeeded',
        ':failed': 'failed',
        ':waiting': 'awaiting_input',
      },
    },
  };
}

/** Checks that a pilot finds all rows; the dataset stays as it is. */
function checkRows(run: RunRecord): Action {
  const { dataset_id, team_id } = run;
  const allowed = stateAllows(activeState(run));
  return {
    ConditionCheck: {
      Key: keys.dataset(dataset_id),
      ConditionExpression: `team_id = :team AND ${allowed.text} AND ${HAS_ALL_ROWS.text}`,
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':team': team_id, ...allowed.values, ...HAS_ALL_ROWS.values },
    },
  };
}

/** Moves the dataset to the state of its run. */
function moveDataset(launch: Launch): Action {
  const { dataset_id, team_id, started_at } = launch.run;
  const target = activeState(launch.run);
  const { assignments, names, values } = assign(
    datasetFields(dataset_id, { ...launchedDataset(launch), updated_at: started_at }),
  );
  const allowed = stateAllows(target);
  const latest = launch.version === undefined ? null : followsLatest(launch.version);
  return {
    Update: {
      Key: keys.dataset(dataset_id),
      UpdateExpression: `SET ${assignments}`,
      ConditionExpression: `team_id = :team AND ${allowed.text}${
        target === 'running' ? ` AND ${HAS_ALL_ROWS.text}` : ''
      }${latest === null ? '' : ` AND ${latest.text}`}`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: {
        ...values,
        ...allowed.values,
        ':team': team_id,
        ...(target === 'running' ? HAS_ALL_ROWS.values : {}),
        ...latest?.values,
      },
    },
  };
}

/** What a launch checks of its dataset, or changes of it. */
function datasetLaunch(launch: Launch): Action {
  const { run, newDataset } = launch;
  const { claims } = kindOf(run);
  if (claims === 'training') return checkResult(run);
  if (claims === 'append') return appendLaunch(run);
  if (claims === 'pilot') return checkRows(run);
  if (newDataset === undefined) return moveDataset(launch);
  return {
    Put: {
      Item: datasetItem({ ...newDataset, ...launchedDataset(launch) }),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** Sets the credits of a run aside, also if they are 0; nothing for a run that does not count against the plan. */
function reserveCredits({ run, runsAtOnce }: Launch, balance: Balance) {
  const { run_id, team_id, reserved_credits: credits, started_at } = run;
  const reserved = reservation(run);
  if (reserved === null) return {};
  const low = lowCredits(balance, credits, run_id, started_at);
  return {
    balance: moveBalance(
      team_id,
      { available: -credits, held: credits, active_runs: 1 },
      {
        text: `#available >= :credits AND #active_runs < :limit AND ${low.text}`,
        values: { ':credits': credits, ':limit': runsAtOnce, ...low.values },
      },
    ),
    ...(low.event === null ? {} : { event: putEvent(team_id, low.event) }),
    hold: {
      Put: {
        Item: { ...reserved.hold, ...keys.hold(team_id, run_id) },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
    reserve: putEntry(reserved.entry),
  } satisfies Record<string, Action>;
}

/**
 * @param further those of the companion
 * @param balance that of the team, as read; the launch takes credits from the one that is stored
 */
function launchActions(launch: Launch, further: Writes, balance: Balance, now: number) {
  const { run, idempotency, version, voucher } = launch;
  return {
    ...(idempotency === null ? {} : { idempotency: claimIdempotencyKey(idempotency, now) }),
    run: { Put: { Item: activeRunItem(run), ConditionExpression: 'attribute_not_exists(pk)' } },
    ...further,
    ...(voucher === undefined ? {} : { voucher: redeemVoucher(voucher, run.team_id, run.started_at) }),
    ...(kindOf(run).claims === 'pilot' ? { pilot: pilotLaunch(run) } : {}),
    ...(version === undefined ? {} : { version: putVersion(version) }),
    dataset: datasetLaunch(launch),
    ...reserveCredits(launch, balance),
  } satisfies Writes;
}

/** The items that the end of a run changes, as read. */
interface EndingItems {
  /** Null if the run has not changed its state. */
  readonly dataset: DatasetRecord | null;
  readonly hold: Hold | null;
  readonly companion: CompanionEnd | null;
}

/** Whether a run is known to have started: a repetition was answered with it, or the rows of an append have landed. */
const hasStarted = (run: RunRecord): boolean =>
  run.is_answered === true || (isAppend(run) && !isUnlanded(run));

/** Whether an append ends without its rows. */
function isUnlanded(run: RunRecord): boolean {
  return isAppend(run) && run.version === undefined;
}

function endRunAction(run: RunRecord, ending: Ending): Action {
  const { status, settled_credits, counts, error_data, ended_at } = endedRun(run, ending);
  const ofRun = assign({ status, settled_credits, counts, error_data, ended_at });
  const waits = isUnlanded(run);
  const isListed = kindOf(run).claims === 'pilot';
  return {
    Update: {
      Key: keys.run(run.dataset_id, run.run_id),
      UpdateExpression: isListed
        ? `SET ${ofRun.assignments}, list_pk = :pilots`
        : `SET ${ofRun.assignments} REMOVE list_pk, list_created`,
      // Rows of an append that land just now are counted as landed already.
      ConditionExpression: `#status = :running${waits ? ' AND attribute_not_exists(#version)' : ''}${
        // A repetition of the launch that was answered with the run has started it.
        ending.isUnstarted === true ? ' AND attribute_not_exists(is_answered)' : ''
      }`,
      ExpressionAttributeNames: { ...ofRun.names, ...(waits ? { '#version': 'version' } : {}) },
      ExpressionAttributeValues: {
        ...ofRun.values,
        ':running': 'running',
        ...(isListed ? { ':pilots': lists.pilots(run.dataset_id) } : {}),
      },
    },
  };
}

function datasetEnd(dataset: DatasetRecord, run: RunRecord, ending: Ending): Action {
  const { dataset_id, run_id } = run;
  const ofDataset = assign(
    datasetFields(dataset_id, { ...endedDataset(dataset, run, ending), updated_at: ending.endedAt }),
  );
  return {
    Update: {
      Key: keys.dataset(dataset_id),
      UpdateExpression: `SET ${ofDataset.assignments}`,
      ConditionExpression: '#run_id = :run',
      ExpressionAttributeNames: ofDataset.names,
      ExpressionAttributeValues: { ...ofDataset.values, ':run': run_id },
    },
  };
}

/** Takes the billed credits of a hold and returns the rest. */
function holdEnd(hold: Hold, run: RunRecord, ending: Ending): { hold: Action; balance: Action } {
  const { run_id, team_id, reserved_credits: reserved } = run;
  const { state, settled_credits: settled } = endedHold(hold, ending);
  const ofHold = assign({ state, settled_credits: settled, ended_at: ending.endedAt });
  return {
    hold: {
      Update: {
        Key: keys.hold(team_id, run_id),
        UpdateExpression: `SET ${ofHold.assignments}`,
        ConditionExpression: '#state = :held',
        ExpressionAttributeNames: ofHold.names,
        ExpressionAttributeValues: { ...ofHold.values, ':held': 'held' },
      },
    },
    balance: moveBalance(
      team_id,
      {
        settled: ending.billedCredits,
        held: -reserved,
        available: reserved - ending.billedCredits,
        active_runs: -1,
      },
      { text: '#held >= :reserved AND #active_runs >= :one', values: { ':reserved': reserved, ':one': 1 } },
    ),
  };
}

function endActions(run: RunRecord, ending: Ending, { dataset, hold, companion }: EndingItems): Writes {
  const actions: Record<string, Action> = { ...companion?.writes, run: endRunAction(run, ending) };
  const { settle, release } = endingEntries(run, ending);
  if (dataset !== null) actions.dataset = datasetEnd(dataset, run, ending);
  const version = dataset === null ? null : endedVersion(dataset, run, ending);
  if (version !== null) actions.version = putVersion(version);
  if (isUnlanded(run)) actions.append = appendEnd(run);
  if (hold !== null) Object.assign(actions, holdEnd(hold, run, ending));
  if (kindOf(run).claims === 'pilot') actions.pilot = pilotEnd(run);
  if (settle !== undefined) actions.settle = putEntry(settle);
  if (release !== undefined) actions.release = putEntry(release);
  return actions;
}

/** @throws Error if a ledger without the companion of this kind would begin or end a run of it */
function companionOf(companions: Companions, run: RunRecord): Companion | null {
  const companion = companions[run.pipeline] ?? null;
  // A training has a record of its own, which begins and ends in the transactions of its run.
  if (companion === null && kindOf(run).claims === 'training') {
    throw new Error(`This ledger cannot ${run.pipeline}.`);
  }
  return companion;
}

/** @param companions of the kinds of runs that the caller may launch or end */
export function createLedger(table: Table, companions: Companions = {}): Ledger {
  const findBalance = (teamId: string) => readBalance(table, teamId);

  return {
    findBalance,

    async launch(launch) {
      const { run, idempotency, companion: record } = launch;
      const companion = companionOf(companions, run);
      const begun = record === undefined ? null : (companion?.launch(record) ?? null);
      for (let build = 0; build < REBUILDS_MAX; build += 1) {
        const balance = (await findBalance(run.team_id)) ?? emptyBalance(run.team_id);
        const failed = await transact(
          table,
          launchActions(launch, begun?.writes ?? {}, balance, table.now()),
        );
        // An existing run is this launch, committed by an attempt whose response was lost.
        if (failed.size === 0 || failed.has('run')) return { replayed: null };

        const earlier = idempotency === null ? null : await readIdempotencyRecord(table, idempotency);
        if (earlier !== null) return { replayed: earlier };
        const refusal = begun?.refusalOf(failed) ?? null;
        if (refusal !== null) throw refusal;
        await requireLaunch(table, launch, companion);
      }
      throw changedTooOften();
    },

    async end(ending) {
      for (let build = 0; build < REBUILDS_MAX; build += 1) {
        const run = await readRun(table, ending.dataset_id, ending.run_id);
        if (run === null) throw new Error(`There is no run ${ending.run_id} to end.`);
        if (run.status !== 'running' || (ending.isUnstarted === true && hasStarted(run))) return run;

        const [dataset, hold, companion] = await Promise.all([
          readDataset(table, run.dataset_id),
          getItem(table, keys.hold(run.team_id, run.run_id)),
          companionOf(companions, run)?.end(table, run, ending) ?? null,
        ]);
        const actions = endActions(run, ending, {
          dataset: dataset?.run_id === run.run_id ? dataset : null,
          hold: hold === null ? null : Hold.parse(hold),
          companion,
        });
        const event = companion?.event ?? endedEvent(run, ending, dataset?.row_count ?? null);
        const failed = await transactWithEvent(table, actions, run.team_id, event);
        if (failed.size === 0) return endedRun(run, ending);
      }
      throw changedTooOften();
    },

    async grant(entry) {
      await transact(table, {
        entry: putEntry(entry),
        balance: moveBalance(
          entry.team_id,
          { granted: entry.credits, available: entry.credits },
          { text: 'attribute_exists(pk)', values: {} },
        ),
      });
      const balance = await findBalance(entry.team_id);
      if (balance === null) throw new Error(`There is no team ${entry.team_id} to grant credits to.`);
      return balance;
    },

    async listHolds(teamId) {
      const items = queryPartition(table, keys.balance(teamId).pk, sortKeyPrefixes.hold);
      return collect(items, (item) => Hold.parse(item));
    },

    async listEntries(teamId) {
      const items = queryPartition(table, keys.balance(teamId).pk, sortKeyPrefixes.ledgerEntry);
      return collect(items, (item) => LedgerEntry.parse(item));
    },
  };
}

/** @throws {ServiceError} why the launch was refused; nothing if it is possible by now */
async function requireLaunch(table: Table, launch: Launch, companion: Companion | null): Promise<void> {
  const { run } = launch;
  const refusal = refusalOfLaunch(
    launch,
    await readDataset(table, run.dataset_id),
    (await readBalance(table, run.team_id)) ?? emptyBalance(run.team_id),
    await readActiveReader(table, run, companion),
  );
  if (refusal !== null) throw refusal;
  if (launch.voucher !== undefined) {
    const voucher = await readVoucher(table, launch.voucher);
    const unredeemable = refusalOfVoucher(voucher, run.team_id, run.started_at);
    if (unredeemable !== null) throw unredeemable;
  }
}

/** The open training, or pilot, of a run's dataset, of the kind of the run; null if there is none. */
async function readActiveReader(
  table: Table,
  run: RunRecord,
  companion: Companion | null,
): Promise<string | null> {
  if (companion !== null) return companion.findActive(table, run.dataset_id);
  return kindOf(run).claims === 'pilot' ? readActivePilot(table, run.dataset_id) : null;
}

async function collect<T>(items: AsyncIterable<Item>, parse: (item: Item) => T): Promise<T[]> {
  const parsed: T[] = [];
  for await (const item of items) parsed.push(parse(item));
  return parsed;
}
