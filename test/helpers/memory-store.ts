import { IDEMPOTENCY_DAYS, type IdempotencyRecord } from '#shared/access/decide/idempotency/record.ts';
import type {
  IdempotencyRepository,
  IdempotencyScope,
} from '#shared/access/decide/idempotency/repository.ts';
import {
  type Balance,
  emptyBalance,
  type Hold,
  type LedgerEntry,
} from '#shared/access/decide/ledger/record.ts';
import type { MeterRepository } from '#shared/access/decide/meter-repository.ts';
import { refusalOfVoucher, type Voucher } from '#shared/access/decide/vouchers/record.ts';
import type { VoucherRepository } from '#shared/access/decide/vouchers/repository.ts';
import type { CustomEvalRecord } from '#shared/adaptation/decide/custom-evals/record.ts';
import type { CustomEvalRepository } from '#shared/adaptation/decide/custom-evals/repository.ts';
import { type SpeedObservation, type SpeedStore, withObservation } from '#shared/adaptation/decide/speed.ts';
import { isSelected, sortValue } from '#shared/datasets/decide/listing.ts';
import {
  type DatasetRecord,
  datasetNotFound,
  type EvaluationRecord,
  trainingActive,
} from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { canMove } from '#shared/datasets/decide/states.ts';
import {
  freeUseExceeded,
  type Plan,
  requestsExceeded,
  tokensExceeded,
} from '#shared/platform/access/plan.ts';
import type { KeyRecord, Organization, Team, User } from '#shared/platform/access/records.ts';
import type {
  AccessAdministration,
  FreeUseLimiter,
  RateLimiter,
  TokenLimiter,
} from '#shared/platform/access/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { ApprovalRepository } from '#shared/responses/decide/approvals.ts';
import type { Stack, StackRepository } from '#shared/responses/decide/stack.ts';
import {
  balanceAfterEnd,
  endedDataset,
  endedHold,
  endedRun,
  endingEntries,
} from '#shared/runs/decide/ledger/ending.ts';
import {
  balanceAfterLaunch,
  launchedDataset,
  refusalOfLaunch,
  reservation,
} from '#shared/runs/decide/ledger/launch.ts';
import type { Ledger } from '#shared/runs/decide/ledger/repository.ts';
import { movesDataset, type RunRecord } from '#shared/runs/decide/record.ts';
import type { ChunkEffort, RunRepository } from '#shared/runs/decide/repository.ts';
import { trainingEnding } from '#shared/training/decide/ending.ts';
import type { FinetuneJob, FinetuneJobRepository } from '#shared/training/decide/finetune-job.ts';
import { hasEnded } from '#shared/training/decide/has-ended.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import type { AttemptId, TrainingRepository } from '#shared/training/decide/repository.ts';
import type { TrainerAttempt } from '#shared/training/schema/training-job.ts';
import { createMemoryMeter } from './memory-meter.ts';

/** Every port that the table serves. */
export interface Store {
  readonly speeds: SpeedStore;
  readonly datasets: DatasetRepository;
  readonly runs: RunRepository;
  readonly ledger: Ledger;
  readonly idempotency: IdempotencyRepository;
  readonly access: AccessAdministration;
  readonly rateLimiter: RateLimiter;
  readonly customEvals: CustomEvalRepository;
  readonly trainings: TrainingRepository;
  readonly vouchers: VoucherRepository;
  readonly finetuneJobs: FinetuneJobRepository;
  readonly stacks: StackRepository;
  readonly approvals: ApprovalRepository;
  readonly claims: Claims;
  readonly meter: MeterRepository;
  readonly tokenLimiter: TokenLimiter;
  readonly freeUses: FreeUseLimiter;
}

const copy = <T>(value: T): T => structuredClone(value);

const scopeKey = (scope: IdempotencyScope): string =>
  JSON.stringify([scope.team_id, scope.operation, scope.dataset_id, scope.key_hash]);

/** The ports of the table, kept in memory. It passes the same tests as the table's adapters. */
export function createMemoryStore(now: () => number = Date.now): Store {
  const datasets = new Map<string, DatasetRecord>();
  const evaluations = new Map<string, EvaluationRecord>();
  const evaluationsOf = (datasetId: string): EvaluationRecord[] =>
    [...evaluations.values()]
      .filter(({ dataset_id }) => dataset_id === datasetId)
      .sort((a, b) => (a.started_at > b.started_at ? -1 : 1));
  const expired = new Set<string>();
  const customEvals = new Map<string, CustomEvalRecord>();
  const changeOpenEval = (datasetId: string, id: string, fields: Partial<CustomEvalRecord>): boolean => {
    const found = customEvals.get(id);
    if (found?.dataset_id !== datasetId || !['pending', 'running'].includes(found.status)) return false;
    customEvals.set(id, { ...found, ...copy(fields) });
    return true;
  };
  const runs = new Map<string, RunRecord>();
  const trainings = new Map<string, TrainingRecord>();
  /** Null of one that was revoked before it was queued. */
  const attempts = new Map<string, TrainerAttempt | null>();
  const attemptKey = ({ experiment_id, iteration, attempt }: AttemptId): string =>
    `${experiment_id} ${iteration} ${attempt}`;
  const hidden = new Set<string>();
  const vouchers = new Map<string, Voucher>();
  const finetuneJobs = new Map<string, FinetuneJob>();
  const activeTraining = (datasetId: string): TrainingRecord | undefined =>
    [...trainings.values()].find((each) => each.dataset_id === datasetId && !hasEnded(each));
  const chunks = new Map<string, Map<number, number>>();
  const efforts = new Map<string, Map<number, ChunkEffort & { reportedAtMs: number }>>();
  const progressed = new Map<string, string>();
  const balances = new Map<string, Balance>();
  const holds = new Map<string, Hold>();
  const entries = new Map<string, LedgerEntry>();
  const records = new Map<string, IdempotencyRecord>();
  const organizations = new Map<string, Organization>();
  const teams = new Map<string, Team>();
  const users = new Map<string, User>();
  const members = new Map<string, Set<string>>();
  const apiKeys = new Map<string, KeyRecord>();
  const plans = new Map<string, Plan>();
  const speeds = new Map<string, SpeedObservation[]>();
  const requests = new Map<string, number>();
  const tokens = new Map<string, number>();
  const stacks = new Map<string, Stack>();
  const claimed = new Set<string>();
  /** Until when somebody is at a piece of work. */
  const works = new Map<string, number>();

  const present = (datasetId: string): DatasetRecord | null => {
    const dataset = datasets.get(datasetId);
    return dataset === undefined || dataset.state === 'deleted' ? null : dataset;
  };
  const owned = (caller: { team_id: string }, datasetId: string): DatasetRecord => {
    const dataset = present(datasetId);
    if (dataset?.team_id !== caller.team_id) throw datasetNotFound();
    return dataset;
  };
  const set = (datasetId: string, fields: Partial<DatasetRecord>): DatasetRecord => {
    const dataset = { ...(datasets.get(datasetId) as DatasetRecord), ...copy(fields) };
    datasets.set(datasetId, dataset);
    return copy(dataset);
  };
  const findRecord = (scope: IdempotencyScope): IdempotencyRecord | null => {
    const record = records.get(scopeKey(scope));
    const expired =
      record !== undefined && now() >= Date.parse(record.created_at) + IDEMPOTENCY_DAYS * 86_400_000;
    return record === undefined || expired ? null : copy(record);
  };
  const byName = <T extends { name: string }>(all: Iterable<T>): T[] =>
    copy([...all]).sort((a, b) => (a.name < b.name ? -1 : 1));
  const named = <T extends { name: string }>(all: Iterable<T>, name: string): T | null =>
    copy([...all].find((each) => each.name === name) ?? null);

  return {
    speeds: {
      findSpeed: async (modelId, shape) => copy(speeds.get(`${modelId} ${shape}`) ?? []),
      recordSpeed: async (modelId, shape, observation) => {
        const key = `${modelId} ${shape}`;
        speeds.set(key, withObservation(speeds.get(key) ?? [], copy(observation)));
      },
    },

    datasets: {
      create: async (dataset) => {
        if (datasets.has(dataset.dataset_id)) return false;
        datasets.set(dataset.dataset_id, copy(dataset));
        return true;
      },
      find: async (datasetId) => copy(present(datasetId)),
      require: async (caller, datasetId) => copy(owned(caller, datasetId)),
      list: async (teamId, selection) => {
        const value = (dataset: DatasetRecord): string => sortValue(dataset, selection.sort);
        const sign = selection.descending ? -1 : 1;
        const compare = (a: string, b: string): number =>
          sign * Buffer.compare(Buffer.from(a), Buffer.from(b));
        const { after } = selection;
        const found = [...datasets.values()]
          .filter((dataset) => dataset.team_id === teamId && dataset.state !== 'deleted')
          .filter((dataset) => isSelected(dataset, selection))
          .filter((dataset) => after === null || compare(value(dataset), after) > 0)
          .sort((a, b) => compare(value(a), value(b)));
        const page = found.slice(0, selection.limit);
        const last = page.at(-1);
        const next = found.length > page.length && last !== undefined ? value(last) : null;
        return { datasets: copy(page), next };
      },
      deferIngest: async (caller, datasetId, changes, at) => {
        if (!canMove(owned(caller, datasetId).state, 'awaiting_preprocessing')) {
          throw new ServiceError(
            'dataset_not_ready',
            'The upload of this dataset has been completed already.',
          );
        }
        return set(datasetId, { ...changes, state: 'awaiting_preprocessing', updated_at: timestamp(at) });
      },
      rejectUpload: async (caller, datasetId, error_data, at) => {
        if (owned(caller, datasetId).state !== 'awaiting_upload') {
          throw new ServiceError(
            'dataset_not_ready',
            'The upload of this dataset has been completed already.',
          );
        }
        return set(datasetId, { error_data, state: 'failed', updated_at: timestamp(at) });
      },
      recordFindings: async (datasetId, runId, changes, at) => {
        if (datasets.get(datasetId)?.run_id !== runId) return false;
        set(datasetId, { ...changes, updated_at: timestamp(at) });
        return true;
      },
      delete: async (caller, datasetId, at) => {
        if (!canMove(owned(caller, datasetId).state, 'deleted')) {
          throw new ServiceError(
            'dataset_running',
            'A run is active on this dataset. Wait until it has ended.',
          );
        }
        if (activeTraining(datasetId) !== undefined) throw trainingActive();
        return set(datasetId, { state: 'deleted', updated_at: timestamp(at) });
      },
      findEvaluation: async (datasetId, runId) => copy(evaluations.get(`${datasetId} ${runId}`) ?? null),
      listEvaluations: async (datasetId) => copy(evaluationsOf(datasetId)),
      recordEvaluation: async (evaluation) => {
        evaluations.set(`${evaluation.dataset_id} ${evaluation.run_id}`, copy(evaluation));
      },
      listGradedScores: async (exceptDatasetId) =>
        [...datasets.keys(), ...new Set([...evaluations.values()].map(({ dataset_id }) => dataset_id))]
          .filter((id, at, all) => all.indexOf(id) === at && id !== exceptDatasetId && !expired.has(id))
          .flatMap((id) =>
            evaluationsOf(id)
              .flatMap(({ quality }) => quality?.score_after ?? [])
              .slice(0, 1),
          ),
      expireRecords: async (datasetId) => {
        expired.add(datasetId);
      },
    },

    runs: {
      find: async (datasetId, runId) => {
        const run = runs.get(runId);
        return run?.dataset_id === datasetId ? copy(run) : null;
      },
      listOfDataset: async (datasetId) =>
        copy([...runs.values()].filter((run) => run.dataset_id === datasetId)).sort((a, b) =>
          a.started_at < b.started_at ? -1 : 1,
        ),
      listActive: async ({ limit, after }) => {
        const value = (run: RunRecord): string => [run.started_at, run.dataset_id, run.run_id].join('#');
        const active = [...runs.values()]
          .filter((run) => run.status === 'running' && (after === null || value(run) > after))
          .sort((a, b) => (value(a) < value(b) ? -1 : 1));
        const page = active.slice(0, limit);
        const last = page.at(-1);
        return {
          runs: copy(page),
          next: active.length > page.length && last !== undefined ? value(last) : null,
        };
      },
      recordPlan: async (datasetId, runId, plan) => {
        const run = runs.get(runId);
        if (run?.dataset_id !== datasetId || run.status !== 'running') return false;
        runs.set(runId, { ...run, ...copy(plan) });
        return true;
      },
      recordChunkProgress: async (runId, chunk, processedRows, effort) => {
        const ofRun = chunks.get(runId) ?? new Map<number, number>();
        if (processedRows > (ofRun.get(chunk) ?? -1)) {
          progressed.set(runId, timestamp(now()));
          if (effort !== undefined) {
            const ofChunks = efforts.get(runId) ?? new Map<number, ChunkEffort & { reportedAtMs: number }>();
            const { startedAtMs } = ofChunks.get(chunk) ?? effort;
            efforts.set(runId, ofChunks.set(chunk, { ...effort, startedAtMs, reportedAtMs: now() }));
          }
        }
        chunks.set(runId, ofRun.set(chunk, Math.max(processedRows, ofRun.get(chunk) ?? 0)));
      },
      readProcessedRows: async (runId) =>
        [...(chunks.get(runId)?.values() ?? [])].reduce((sum, rows) => sum + rows, 0),
      readEffort: async (runId, exceptChunk) => {
        const counted = [...(efforts.get(runId) ?? [])].flatMap(([chunk, effort]) =>
          chunk === exceptChunk ? [] : [effort],
        );
        return {
          tokens: counted.reduce((sum, { tokens }) => sum + tokens, 0),
          failedRows: counted.reduce((sum, { failedRows }) => sum + failedRows, 0),
          startedAtMs:
            counted.length === 0 ? null : Math.min(...counted.map(({ startedAtMs }) => startedAtMs)),
          reportedAtMs:
            counted.length === 0 ? null : Math.max(...counted.map(({ reportedAtMs }) => reportedAtMs)),
        };
      },
      requestStop: async (datasetId, runId, reason) => {
        const run = runs.get(runId);
        if (run?.dataset_id !== datasetId || run.status !== 'running') return false;
        runs.set(runId, { ...run, stop_reason: run.stop_reason ?? copy(reason) });
        return true;
      },
      close: async (datasetId, runId) => {
        const run = runs.get(runId);
        if (run?.dataset_id === datasetId && run.status === 'running') {
          runs.set(runId, { ...run, is_closed: true });
        }
      },
      lastProgressAt: async (runId) => progressed.get(runId) ?? null,
    },

    ledger: {
      launch: async (launch) => {
        const { run, idempotency } = launch;
        if (runs.has(run.run_id)) return { replayed: null };
        const earlier = idempotency === null ? null : findRecord(idempotency);
        if (earlier !== null) return { replayed: earlier };
        const balance = balances.get(run.team_id) ?? emptyBalance(run.team_id);
        const active = run.pipeline === 'train' ? activeTraining(run.dataset_id) : undefined;
        const refusal = refusalOfLaunch(
          launch,
          datasets.get(run.dataset_id) ?? null,
          balance,
          active?.experiment_id ?? null,
        );
        if (refusal !== null) throw refusal;
        const voucher = launch.voucher === undefined ? null : (vouchers.get(launch.voucher) ?? null);
        if (launch.voucher !== undefined) {
          const unredeemable = refusalOfVoucher(voucher, run.team_id, run.started_at);
          if (unredeemable !== null) throw unredeemable;
        }
        if (voucher !== null) vouchers.set(voucher.code, { ...voucher, uses: voucher.uses + 1 });

        const reserved = reservation(run);
        if (reserved !== null) {
          balances.set(run.team_id, balanceAfterLaunch(balance, run));
          holds.set(run.run_id, reserved.hold);
          entries.set(reserved.entry.entry_id, reserved.entry);
        }
        if (idempotency !== null) records.set(scopeKey(idempotency), copy(idempotency));
        runs.set(run.run_id, copy(run));
        if (launch.newDataset !== undefined) datasets.set(run.dataset_id, copy(launch.newDataset));
        if (launch.training !== undefined) trainings.set(run.run_id, copy(launch.training));
        if (movesDataset(run.pipeline)) set(run.dataset_id, launchedDataset(launch));
        return { replayed: null };
      },
      end: async (ending) => {
        const run = runs.get(ending.run_id);
        if (run === undefined) throw new Error(`There is no run ${ending.run_id} to end.`);
        if (run.status !== 'running') return copy(run);
        const ended = endedRun(run, ending);
        runs.set(run.run_id, ended);
        const dataset = datasets.get(run.dataset_id);
        if (dataset?.run_id === run.run_id) set(run.dataset_id, endedDataset(dataset, run, ending));
        const hold = holds.get(run.run_id);
        const balance = balances.get(run.team_id);
        if (hold !== undefined && balance !== undefined) {
          holds.set(run.run_id, endedHold(hold, ending));
          balances.set(run.team_id, balanceAfterEnd(balance, run, ending));
        }
        for (const entry of Object.values(endingEntries(run, ending))) entries.set(entry.entry_id, entry);
        const training = run.pipeline === 'train' ? trainings.get(run.run_id) : undefined;
        if (training !== undefined) {
          trainings.set(run.run_id, { ...training, ...trainingEnding(ending) });
          const { team_id, dataset_id, idempotency_key_hash: key_hash, attempt } = training;
          if (attempt !== null) {
            const key = attemptKey({ experiment_id: run.run_id, ...attempt });
            const found = attempts.get(key) ?? null;
            attempts.set(key, found === null ? null : { ...found, state: 'revoked' });
          }
          const scope = { team_id, operation: 'train', dataset_id, key_hash: key_hash ?? '' } as const;
          if (records.get(scopeKey(scope))?.run_id === run.run_id) records.delete(scopeKey(scope));
        }
        return copy(ended);
      },
      grant: async (entry) => {
        const balance = balances.get(entry.team_id);
        if (balance === undefined) throw new Error(`There is no team ${entry.team_id} to grant credits to.`);
        if (entries.has(entry.entry_id)) return copy(balance);
        entries.set(entry.entry_id, copy(entry));
        const granted = {
          ...balance,
          granted: balance.granted + entry.credits,
          available: balance.available + entry.credits,
          revision: balance.revision + 1,
        };
        balances.set(entry.team_id, granted);
        return copy(granted);
      },
      findBalance: async (teamId) => copy(balances.get(teamId) ?? null),
      listHolds: async (teamId) => copy([...holds.values()].filter((hold) => hold.team_id === teamId)),
      listEntries: async (teamId) =>
        copy([...entries.values()].filter((entry) => entry.team_id === teamId)).sort((a, b) =>
          a.created_at < b.created_at ? -1 : 1,
        ),
    },

    idempotency: {
      find: async (scope) => findRecord(scope),
      forget: async (scope, runId) => {
        if (records.get(scopeKey(scope))?.run_id === runId) records.delete(scopeKey(scope));
      },
    },

    access: {
      findKey: async (keyHash) => copy(apiKeys.get(keyHash) ?? null),
      findTeam: async (teamId) => copy(teams.get(teamId) ?? null),
      findPlan: async (name) => copy(plans.get(name) ?? null),
      isMember: async (teamId, userId) => members.get(teamId)?.has(userId) ?? false,
      findOrganizationByName: async (name) => named(organizations.values(), name),
      findTeamByName: async (name) => named(teams.values(), name),
      findUserByName: async (name) => named(users.values(), name),
      createOrganization: async (organization) => {
        if (named(organizations.values(), organization.name) !== null) return false;
        organizations.set(organization.organization_id, copy(organization));
        return true;
      },
      createTeam: async (team) => {
        if (named(teams.values(), team.name) !== null) return false;
        teams.set(team.team_id, copy(team));
        balances.set(team.team_id, emptyBalance(team.team_id));
        return true;
      },
      createUser: async (user) => {
        if (named(users.values(), user.name) !== null) return false;
        users.set(user.user_id, copy(user));
        return true;
      },
      listOrganizations: async () => byName(organizations.values()),
      listTeams: async () => byName(teams.values()),
      listUsers: async () => byName(users.values()),
      listPlans: async () => byName(plans.values()),
      addMember: async (teamId, userId) => {
        members.set(teamId, (members.get(teamId) ?? new Set()).add(userId));
      },
      listMembers: async (teamId) => [...(members.get(teamId) ?? [])].sort(),
      createKey: async (key) => {
        apiKeys.set(key.key_hash, copy(key));
      },
      listKeys: async (teamId) =>
        copy([...apiKeys.values()].filter((key) => key.team_id === teamId)).sort((a, b) =>
          a.key_id < b.key_id ? -1 : 1,
        ),
      revokeKey: async (teamId, keyId, at) => {
        const key = [...apiKeys.values()].find((each) => each.team_id === teamId && each.key_id === keyId);
        if (key === undefined) return false;
        apiKeys.set(key.key_hash, { ...key, revoked_at: key.revoked_at ?? timestamp(at) });
        return true;
      },
      savePlan: async (plan) => {
        plans.set(plan.name, copy(plan));
      },
      assignPlan: async (teamId, planName) => {
        const team = teams.get(teamId);
        if (team === undefined) return false;
        teams.set(teamId, { ...team, plan: planName });
        return true;
      },
    },

    customEvals: {
      create: async (customEval) => {
        customEvals.set(customEval.custom_eval_id, copy(customEval));
      },
      find: async (datasetId, id) => {
        const found = customEvals.get(id);
        return found?.dataset_id === datasetId ? copy(found) : null;
      },
      list: async (datasetId) =>
        copy([...customEvals.values()].filter(({ dataset_id }) => dataset_id === datasetId)).sort((a, b) =>
          a.created_at > b.created_at ? -1 : 1,
        ),
      begin: async (datasetId, id) => {
        changeOpenEval(datasetId, id, { status: 'running' });
      },
      end: async (datasetId, id, end) => changeOpenEval(datasetId, id, end),
    },

    trainings: {
      find: async (teamId, experimentId) => {
        const found = hidden.has(experimentId) ? undefined : trainings.get(experimentId);
        return found?.team_id === teamId ? copy(found) : null;
      },
      list: async (teamId, { datasetId, limit, after }) => {
        const created = ({ created_at, experiment_id }: TrainingRecord): string =>
          `${created_at}#${experiment_id}`;
        const value = (each: TrainingRecord): string =>
          datasetId === undefined ? created(each) : `${datasetId}#${created(each)}`;
        const found = [...trainings.values()]
          .filter((each) => each.team_id === teamId && !hidden.has(each.experiment_id))
          .filter((each) => datasetId === undefined || each.dataset_id === datasetId)
          .filter((each) => after === null || value(each) < after)
          .sort((a, b) => (value(a) > value(b) ? -1 : 1));
        const page = found.slice(0, limit);
        const last = page.at(-1);
        return {
          trainings: copy(page),
          next: found.length > page.length && last !== undefined ? value(last) : null,
        };
      },
      expire: async (experimentId) => {
        hidden.add(experimentId);
      },
      recordProgress: async (experimentId, progress) => {
        const found = trainings.get(experimentId);
        if (found === undefined || hasEnded(found)) return false;
        trainings.set(experimentId, { ...found, ...copy(progress) });
        return true;
      },
      queueAttempt: async (id, attempt) => {
        const key = attemptKey(id);
        if (!attempts.has(key)) attempts.set(key, { state: 'queued', ...copy(attempt) });
      },
      findAttempt: async (id) => copy(attempts.get(attemptKey(id)) ?? null),
      isCurrent: async ({ experiment_id, iteration, attempt }) => {
        const found = trainings.get(experiment_id);
        if (found === undefined || hasEnded(found)) return false;
        return found.attempt?.iteration === iteration && found.attempt.attempt === attempt;
      },
      excuseAttempt: async (id, until) => {
        const found = attempts.get(attemptKey(id));
        if (found?.state !== 'queued' && found?.state !== 'claimed') return false;
        attempts.set(attemptKey(id), { ...found, waits_until: until });
        return true;
      },
      revokeAttempt: async (id) => {
        const found = attempts.get(attemptKey(id));
        if (found?.state === 'queued' || found?.state === 'claimed') {
          attempts.set(attemptKey(id), { ...found, state: 'revoked' });
        }
      },
      attemptItem: ({ experiment_id, iteration, attempt }) => ({
        table: 'memory',
        pk: `ATTEMPT#${experiment_id}#${iteration}#${attempt}`,
        sk: 'ATTEMPT',
      }),
    },

    vouchers: {
      find: async (code) => copy(vouchers.get(code) ?? null),
      create: async (voucher) => {
        if (vouchers.has(voucher.code)) return false;
        vouchers.set(voucher.code, copy(voucher));
        return true;
      },
      list: async () => copy([...vouchers.values()]).sort((a, b) => (a.code < b.code ? -1 : 1)),
      revoke: async (code, at) => {
        const found = vouchers.get(code);
        if (found === undefined) return false;
        vouchers.set(code, { ...found, revoked_at: found.revoked_at ?? at });
        return true;
      },
    },

    finetuneJobs: {
      save: async (job) => {
        finetuneJobs.set(`${job.dataset_id} ${job.finetune_job_id}`, copy(job));
      },
      list: async (datasetId) =>
        copy([...finetuneJobs.values()].filter(({ dataset_id }) => dataset_id === datasetId)),
    },

    meter: createMemoryMeter(balances, entries),

    claims: {
      take: async (work, seconds) => {
        if ((works.get(work) ?? 0) > now()) return false;
        works.set(work, now() + seconds * 1000);
        return true;
      },
      release: async (work) => void works.delete(work),
    },
    approvals: {
      claim: async (teamId, approvalId) => {
        const key = `${teamId} ${approvalId}`;
        return !claimed.has(key) && claimed.add(key).has(key);
      },
    },
    stacks: {
      find: async (teamId, slug) => copy(stacks.get(`${teamId} ${slug}`) ?? null),
      list: async (teamId) =>
        copy([...stacks.values()])
          .filter((stack) => stack.team_id === teamId)
          .sort((a, b) => (a.slug < b.slug ? -1 : 1)),
      put: async (stack) => void stacks.set(`${stack.team_id} ${stack.slug}`, copy(stack)),
      remove: async (teamId, slug) => stacks.delete(`${teamId} ${slug}`),
    },

    tokenLimiter: {
      admit: async ({ team_id, plan }, wanted, at) => {
        const counted = Math.min(wanted, plan.response_tokens_per_minute);
        const minute = `${team_id} ${Math.floor(at / 60_000)}`;
        const before = tokens.get(minute) ?? 0;
        if (before > plan.response_tokens_per_minute - counted) throw tokensExceeded(plan, wanted, at);
        tokens.set(minute, before + counted);
        return counted;
      },
      add: async (teamId, difference, at) => {
        const minute = `${teamId} ${Math.floor(at / 60_000)}`;
        tokens.set(minute, (tokens.get(minute) ?? 0) + difference);
      },
    },

    freeUses: {
      admit: async ({ team_id, plan }, use, at) => {
        const window = `${team_id} ${use} ${Math.floor(at / 3_600_000)}`;
        const count = requests.get(window) ?? 0;
        if (count >= plan[use]) throw freeUseExceeded(plan, use, at);
        requests.set(window, count + 1);
      },
    },

    rateLimiter: {
      admit: async (caller, at) => {
        const window = `${caller.team_id} ${Math.floor(at / 1000)}`;
        const count = requests.get(window) ?? 0;
        if (count >= caller.plan.requests_per_second) throw requestsExceeded(caller.plan);
        requests.set(window, count + 1);
      },
    },
  };
}
