import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkTeamLedger } from '#shared/access/check-ledger.ts';
import {
  IDEMPOTENCY_DAYS,
  type IdempotencyRecord,
  NEW_DATASET,
} from '#shared/access/decide/idempotency/record.ts';
import { emptyBalance, type LedgerEntry } from '#shared/access/decide/ledger/record.ts';
import type { Voucher } from '#shared/access/decide/vouchers/record.ts';
import type { ListSelection } from '#shared/datasets/decide/listing.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { DatasetState, statesBefore } from '#shared/datasets/decide/states.ts';
import { createOutbox } from '#shared/events/store/outbox.ts';
import type { CustomEvalRecord } from '#shared/judging/decide/custom-evals/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { DEFAULT_PLAN, type FreeUse } from '#shared/platform/schema/plan.ts';
import type { Table } from '#shared/platform/store/table.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { Ending, Launch } from '#shared/runs/decide/ledger/repository.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { FinetuneJob } from '#shared/training/decide/finetune-job.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import type { Store } from './memory-store.ts';
import {
  makeCaller,
  makeDataset,
  makeEmptyDataset,
  makeRun,
  makeStack,
  NOW,
  seedDataset,
  seedTeam,
} from './records.ts';
import { makeTraining } from './training.ts';

const everything: ListSelection = {
  limit: 20,
  sort: 'created_at',
  descending: true,
  createdAfter: null,
  createdBefore: null,
  contains: null,
  states: null,
  kinds: null,
  createdByUserId: null,
  after: null,
};

export function launchOf(run: RunRecord, fields: Partial<Launch> = {}): Launch {
  return { run, changes: {}, runsAtOnce: DEFAULT_PLAN.runs_at_once, idempotency: null, ...fields };
}

export function endingOf(run: RunRecord, fields: Partial<Ending> = {}): Ending {
  return {
    dataset_id: run.dataset_id,
    run_id: run.run_id,
    status: 'succeeded',
    billedCredits: run.reserved_credits,
    counts: {
      total: 120,
      changed: 100,
      kept: 20,
      dropped: 0,
      failed: 0,
      not_selected: 0,
      expanded: 0,
      expansion_failed: 0,
    },
    errorData: null,
    changes: {},
    endedAt: '2026-03-01T12:30:00.000Z',
    ...fields,
  };
}

export const interruption = {
  code: 'run_interrupted',
  message: 'The run was interrupted.',
  level: 'error',
} as const;

function recordOf(run: RunRecord, fields: Partial<IdempotencyRecord> = {}): IdempotencyRecord {
  return {
    team_id: run.team_id,
    operation: 'adapt',
    dataset_id: run.dataset_id,
    key_hash: 'k'.repeat(64),
    request_hash: 'r'.repeat(64),
    run_id: run.run_id,
    response: '{"b":1,"a":2}',
    created_at: run.started_at,
    ...fields,
  };
}

export async function faultsOf(store: Store, teamId: string): Promise<string[]> {
  return (await checkTeamLedger(store, teamId)).faults;
}

/** What every implementation of the table's ports does. `create` is told the clock by which records expire. */
export function describeStore<S extends Store & { readonly table: Table }>(
  name: string,
  create: (now: () => number) => S | Promise<S>,
  remove: (store: S) => Promise<void> = async () => {},
): void {
  describe(name, () => {
    let store: S;
    let clock = NOW;
    beforeAll(async () => {
      store = await create(() => clock);
    });
    afterAll(() => remove(store));

    describe('datasets', () => {
      test('a created dataset is read back as it was', async () => {
        const dataset = makeDataset(makeCaller(), {
          description: 'Tickets',
          image_column_formats: { photo: 'url' },
          raw_column_mapping: { prompt: 'question', completion: 'answer' },
          evaluation_summary: {
            grade_before: 'C',
            grade_after: 'B',
            score_before: 6.5,
            score_after: 8,
            improvement_percent: 23.1,
          },
        });

        expect(await store.datasets.create(dataset)).toBe(true);
        expect(await store.datasets.find(dataset.dataset_id)).toEqual(dataset);
      });

      test('a second dataset with the same id is refused and changes nothing', async () => {
        const dataset = makeDataset(makeCaller());
        await store.datasets.create(dataset);

        expect(await store.datasets.create({ ...dataset, name: 'Other' })).toBe(false);
        expect(await store.datasets.find(dataset.dataset_id)).toEqual(dataset);
      });

      test('deleted datasets are listed for their erasure by team, from the time at which that is due', async () => {
        const [one, other] = [makeCaller(), makeCaller()];
        const seeds = [await seedDataset(store, one), await seedDataset(store, one)];
        const [late, early] = seeds.map(({ dataset_id, team_id }) => ({ dataset_id, team_id }));
        const foreign = await seedDataset(store, other);
        await seedDataset(store, one);
        await store.datasets.delete(one, late?.dataset_id ?? '', NOW + 60_000);
        await store.datasets.delete(one, early?.dataset_id ?? '', NOW);
        await store.datasets.delete(other, foreign.dataset_id, NOW);
        const dueAt = (minutes: number, max = 10, of = one) =>
          store.datasets.listErasures(timestamp(NOW + minutes * 60_000 + 1000), max, of.team_id);

        const teams = await store.datasets.teamsWithErasures();
        expect(teams.filter((id) => [one.team_id, other.team_id].includes(id))).toHaveLength(2);
        expect([await dueAt(0), await dueAt(1), await dueAt(2)]).toEqual([[], [early], [early, late]]);
        expect(await dueAt(2, 1)).toEqual([early]);
        if (early !== undefined) await store.datasets.deferErasure(early, NOW + 600_000);
        expect([await dueAt(2), await dueAt(10)]).toEqual([[late], [late, early]]);
        await store.datasets.noteErasure(foreign.dataset_id, NOW + 90 * 3_600_000, true);
        expect(await store.datasets.teamsWithErasures()).not.toContain(other.team_id);
      });

      test('missing, deleted and foreign datasets are refused alike', async () => {
        const caller = makeCaller();
        const deleted = await seedDataset(store, caller);
        await store.datasets.delete(caller, deleted.dataset_id, NOW);
        const foreign = await seedDataset(store, makeCaller());

        const refusals = await Promise.all(
          [randomUUID(), deleted.dataset_id, foreign.dataset_id].map((id) =>
            store.datasets.require(caller, id).catch((error: unknown) => error),
          ),
        );

        expect(refusals[0]).toMatchObject({ code: 'dataset_not_found' });
        for (const refusal of refusals) {
          expect(refusal).toMatchObject({
            code: 'dataset_not_found',
            message: (refusals[0] as Error).message,
            details: [],
          });
        }
      });

      test.each(DatasetState.options)('delete in state %s', async (state) => {
        const caller = makeCaller();
        const runId = state === 'running' || state === 'ingesting' ? randomUUID() : null;
        const dataset = await seedDataset(store, caller, { state, run_id: runId });
        const outcome = await store.datasets
          .delete(caller, dataset.dataset_id, NOW)
          .catch((error: { code: string }) => error.code);

        if (state === 'deleted') expect(outcome).toBe('dataset_not_found');
        else if (runId !== null) expect(outcome).toBe('dataset_running');
        else expect(outcome).toMatchObject({ raw_key: dataset.raw_key });
        const there = (await store.datasets.find(dataset.dataset_id)) !== null;
        expect(there).toBe(runId !== null);
      });

      test('only its own team deletes or defers a dataset', async () => {
        const dataset = makeEmptyDataset(makeCaller());
        await store.datasets.create(dataset);

        const stranger = makeCaller();
        const refused = { code: 'dataset_not_found' };
        await expect(store.datasets.delete(stranger, dataset.dataset_id, NOW)).rejects.toMatchObject(refused);
        await expect(store.datasets.deferIngest(stranger, dataset.dataset_id, {}, NOW)).rejects.toMatchObject(
          refused,
        );
        expect(await store.datasets.find(dataset.dataset_id)).toEqual(dataset);
      });

      test('an upload is deferred once, with what is known of the file', async () => {
        const caller = makeCaller();
        const dataset = makeEmptyDataset(caller);
        await store.datasets.create(dataset);
        const defer = () =>
          store.datasets.deferIngest(caller, dataset.dataset_id, { raw_key: 'datasets/x/raw/f' }, NOW);

        const expected = {
          ...dataset,
          state: 'awaiting_preprocessing',
          raw_key: 'datasets/x/raw/f',
          updated_at: timestamp(NOW),
        };
        expect(await defer()).toEqual(expected);
        await expect(defer()).rejects.toMatchObject({ code: 'dataset_not_ready' });
        expect(await store.datasets.find(dataset.dataset_id)).toEqual(expected);
      });

      test('an upload that cannot become a dataset fails with its reason, unless it is being read', async () => {
        const caller = makeCaller();
        const dataset = makeEmptyDataset(caller);
        await store.datasets.create(dataset);
        const error = { code: 'schema_mismatch', message: 'No.', level: 'error' } as const;
        const reject = (id: string) => store.datasets.rejectUpload(caller, id, error, NOW);

        const expected = { ...dataset, state: 'failed', error_data: error, updated_at: timestamp(NOW) };
        expect(await reject(dataset.dataset_id)).toEqual(expected);
        expect(await store.datasets.find(dataset.dataset_id)).toEqual(expected);
        for (const state of ['ingesting', 'running', 'succeeded'] as const) {
          const other = await seedDataset(store, caller, { state, run_id: 'run-1' });
          await expect(reject(other.dataset_id)).rejects.toMatchObject({ code: 'dataset_not_ready' });
        }
      });

      test('only the active run records what it finds', async () => {
        const caller = makeCaller();
        const dataset = await seedDataset(store, caller, { state: 'ingesting', run_id: 'run-1' });
        const record = (runId: string, description: string) =>
          store.datasets.recordFindings(dataset.dataset_id, runId, { description, row_count: 7 }, NOW);

        expect(await record('run-1', 'first')).toBe(true);
        expect(await record('run-0', 'stale')).toBe(false);
        expect(await store.datasets.recordFindings(randomUUID(), 'run-1', { row_count: 1 }, NOW)).toBe(false);
        expect(await store.datasets.find(dataset.dataset_id)).toEqual({
          ...dataset,
          description: 'first',
          row_count: 7,
          updated_at: timestamp(NOW),
        });
      });

      test('each run has one evaluation, which its later states replace, and the latest run comes first', async () => {
        const { dataset_id } = await seedDataset(store, makeCaller());
        const evaluation = (runId: string, startedAt: string, status: 'running' | 'succeeded') => ({
          dataset_id,
          run_id: runId,
          status,
          quality: null,
          results_key: null,
          started_at: startedAt,
          updated_at: startedAt,
        });
        const early = '2026-03-01T12:00:00.000Z';
        const late = '2026-03-02T12:00:00.000Z';

        expect(await store.datasets.findEvaluation(dataset_id, 'a')).toBeNull();
        await store.datasets.recordEvaluation('team', evaluation('a', early, 'running'));
        await store.datasets.recordEvaluation('team', evaluation('b', late, 'running'));
        await store.datasets.recordEvaluation('team', evaluation('a', early, 'succeeded'));
        expect(await store.datasets.findEvaluation(dataset_id, 'a')).toEqual(
          evaluation('a', early, 'succeeded'),
        );
        expect(await store.datasets.findEvaluation(dataset_id, 'b')).toEqual(
          evaluation('b', late, 'running'),
        );
        expect((await store.datasets.listEvaluations(dataset_id)).map(({ run_id }) => run_id)).toEqual([
          'b',
          'a',
        ]);
      });
    });

    test('an evaluation ends once, and says so once, however often its end is recorded', async () => {
      const { dataset_id, team_id } = await seedDataset(store, makeCaller());
      const at = '2026-03-01T12:00:00.000Z';
      const times = { started_at: at, updated_at: at };
      const running = { dataset_id, run_id: 'a', quality: null, results_key: null, ...times };
      await store.datasets.recordEvaluation(team_id, { ...running, status: 'running' });
      await store.datasets.recordEvaluation(team_id, { ...running, status: 'succeeded' });
      await store.datasets.recordEvaluation(team_id, { ...running, status: 'failed' });

      expect((await store.datasets.findEvaluation(dataset_id, 'a'))?.status).toBe('succeeded');
      const pending = await createOutbox(store.table).list(team_id, 10);
      expect(pending.map(({ event }) => event)).toMatchObject([
        { type: 'evaluation.ended', sequence: 1, data: { run_id: 'a', status: 'succeeded' } },
      ]);
    });

    describe('claims', () => {
      test('are taken once, however many ask at once, until they are released or their time is over', async () => {
        const work = `build ${makeCaller().team_id}`;
        const takeAll = () => Promise.all(Array.from({ length: 20 }, () => store.claims.take(work, 900)));

        expect((await takeAll()).filter(Boolean)).toHaveLength(1);
        expect((await takeAll()).filter(Boolean)).toHaveLength(0);
        expect(await store.claims.take(`${work} of another file`, 900)).toBe(true);

        await store.claims.release(work);
        expect(await store.claims.take(work, 0)).toBe(true);
        expect((await takeAll()).filter(Boolean)).toHaveLength(1);
      });

      test('are held longer when they are renewed', async () => {
        const work = `build ${makeCaller().team_id}`;
        expect(await store.claims.take(work, 0)).toBe(true);

        await store.claims.renew(work, 900);

        expect(await store.claims.take(work, 900)).toBe(false);
      });

      test('of a holder are taken again and released by it alone', async () => {
        const work = `build ${makeCaller().team_id}`;
        expect(await store.claims.isTaken(work)).toBe(false);
        expect(await store.claims.take(work, 900, 'first')).toBe(true);

        expect(await store.claims.take(work, 900, 'second')).toBe(false);
        await store.claims.release(work, 'second');
        expect(await store.claims.isTaken(work)).toBe(true);
        expect(await store.claims.take(work, 900, 'first')).toBe(true);

        await store.claims.release(work, 'first');
        expect(await store.claims.isTaken(work)).toBe(false);
        expect(await store.claims.take(work, 0, 'second')).toBe(true);
        expect(await store.claims.isTaken(work)).toBe(false);
      });

      test('during a run are not taken after its end', async () => {
        const caller = await seedTeam(store, 10);
        const run = makeRun(await seedDataset(store, caller));
        const work = `read ${run.run_id}`;
        expect(await store.claims.take(work, 900, run.run_id, run)).toBe(false);
        await store.ledger.launch(launchOf(run));
        expect(await store.claims.take(work, 900, run.run_id, run)).toBe(true);
        await store.claims.release(work, run.run_id);

        await store.ledger.end(endingOf(run));

        expect(await store.claims.take(work, 900, run.run_id, run)).toBe(false);
        expect(await store.claims.isTaken(work)).toBe(false);
      });
    });

    describe('approvals', () => {
      test('are claimed once, however many ask at once, and by each team for itself', async () => {
        const { team_id: teamId } = makeCaller();

        const claims = await Promise.all(
          Array.from({ length: 10 }, () => store.approvals.claim(teamId, 'mcpr_1')),
        );

        expect(claims.filter(Boolean)).toHaveLength(1);
        expect(await store.approvals.claim(teamId, 'mcpr_2')).toBe(true);
        expect(await store.approvals.claim(makeCaller().team_id, 'mcpr_1')).toBe(true);
      });
    });

    describe('stacks', () => {
      test('are read back as they were put, the later one in place of the earlier', async () => {
        const caller = makeCaller();
        const stack = makeStack(caller, { instructions: 'Be brief.', tool_labels: ['calendar'] });
        await store.stacks.put({ ...stack, model: 'earlier' });
        await store.stacks.put(stack);

        expect(await store.stacks.find(caller.team_id, stack.slug)).toEqual(stack);
        expect(await store.stacks.list(caller.team_id)).toEqual([stack]);
      });

      test('of a team are its own, by slug', async () => {
        const [caller, stranger] = [makeCaller(), makeCaller()];
        for (const slug of ['b', 'a', 'c']) await store.stacks.put(makeStack(caller, { slug }));
        await store.stacks.put(makeStack(stranger, { slug: 'd' }));

        expect((await store.stacks.list(caller.team_id)).map(({ slug }) => slug)).toEqual(['a', 'b', 'c']);
        expect(await store.stacks.find(stranger.team_id, 'a')).toBeNull();
      });

      test('that are removed are gone, and are removed once', async () => {
        const caller = makeCaller();
        await store.stacks.put(makeStack(caller));

        expect(await store.stacks.remove(makeCaller().team_id, 'support')).toBe(false);
        expect(await store.stacks.remove(caller.team_id, 'support')).toBe(true);
        expect(await store.stacks.remove(caller.team_id, 'support')).toBe(false);
        expect(await store.stacks.find(caller.team_id, 'support')).toBeNull();
      });
    });

    describe('trainings', () => {
      const launchTraining = async (
        fields: Partial<TrainingRecord> = {},
        launch: Partial<Launch> = {},
        of: Partial<DatasetRecord> = { state: 'succeeded' },
      ) => {
        const caller = await seedTeam(store, 50);
        const dataset = await seedDataset(store, caller, of);
        const training = makeTraining(dataset, fields);
        const run = makeRun(dataset, {
          run_id: training.experiment_id,
          pipeline: 'train',
          reserved_credits: 5,
          started_at: training.created_at,
        });
        await store.ledger.launch(launchOf(run, { companion: training, ...launch }));
        return { caller, dataset, training, run };
      };
      const again = ({ dataset, training, run }: Awaited<ReturnType<typeof launchTraining>>) => {
        const experiment_id = randomUUID();
        return store.ledger
          .launch(launchOf({ ...run, run_id: experiment_id }, { companion: { ...training, experiment_id } }))
          .then(
            () => 'launched',
            (error: { code: string }) => error.code,
          )
          .then((outcome) => [outcome, dataset.dataset_id]);
      };

      test('begin and end with their run, one at once of a dataset, which stays as it is', async () => {
        const begun = await launchTraining();
        const { caller, dataset, training, run } = begun;

        expect(await store.trainings.find(caller.team_id, training.experiment_id)).toEqual(training);
        expect(await store.trainings.find(makeCaller().team_id, training.experiment_id)).toBeNull();
        expect((await again(begun))[0]).toBe('training_running');
        await store.ledger.end(endingOf(run, { counts: null }));

        expect(await store.trainings.find(caller.team_id, training.experiment_id)).toEqual({
          ...training,
          status: 'succeeded',
          completed_at: '2026-03-01T12:30:00.000Z',
        });
        expect(await store.datasets.find(dataset.dataset_id)).toEqual(dataset);
        expect((await again(begun))[0]).toBe('launched');
        expect(await faultsOf(store, caller.team_id)).toEqual([]);
      });

      test('use the last good result of a dataset whose latest run failed, and no dataset without one', async () => {
        const failed: Partial<DatasetRecord> = {
          state: 'failed',
          error_data: { code: 'run_interrupted', message: 'The run was interrupted.', level: 'error' },
        };
        const mapping = { prompt: 'question', completion: 'answer', context: [] };
        const result = { run_id: null, configured_column_mapping: mapping };
        const { caller, training } = await launchTraining({}, {}, { ...failed, result });

        expect(await store.trainings.find(caller.team_id, training.experiment_id)).toEqual(training);
        await expect(launchTraining({}, {}, failed)).rejects.toMatchObject({ code: 'dataset_untrainable' });
      });

      test('that were cancelled say so, and others why they failed', async () => {
        const [one, two] = [await launchTraining(), await launchTraining()];
        const end = ({ run }: typeof one, code: string) =>
          store.ledger.end(
            endingOf(run, {
              status: 'failed',
              billedCredits: 0,
              counts: null,
              errorData: { ...interruption, code },
            }),
          );
        await end(one, 'run_cancelled');
        await end(two, 'run_interrupted');

        const found = await Promise.all(
          [one, two].map(({ caller, training }) =>
            store.trainings.find(caller.team_id, training.experiment_id),
          ),
        );
        expect(found.map((each) => [each?.status, each?.error])).toEqual([
          ['cancelled', null],
          ['failed', interruption.message],
        ]);
      });

      test('free their idempotency key when they end', async () => {
        const key_hash = 'k'.repeat(64);
        const caller = await seedTeam(store, 50);
        const dataset = await seedDataset(store, caller, { state: 'succeeded' });
        const training = makeTraining(dataset, { idempotency_key_hash: key_hash });
        const run = makeRun(dataset, { run_id: training.experiment_id, pipeline: 'train' });
        const record = recordOf(run, { operation: 'train', key_hash });
        await store.ledger.launch(launchOf(run, { companion: training, idempotency: record }));

        expect(await store.idempotency.find(record)).toEqual(record);
        await store.ledger.end(endingOf(run, { counts: null }));
        expect(await store.idempotency.find(record)).toBeNull();
      });

      test('keep what is recorded of them until they end', async () => {
        const { caller, training, run } = await launchTraining();
        const { experiment_id } = training;
        const progress = { status: 'running', iterations_completed: 1 } as const;

        expect(await store.trainings.recordProgress(experiment_id, progress)).toBe(true);
        await store.ledger.end(endingOf(run, { counts: null }));
        expect(await store.trainings.recordProgress(experiment_id, { iterations_completed: 2 })).toBe(false);
        expect(await store.trainings.recordProgress(randomUUID(), progress)).toBe(false);
        expect(await store.trainings.find(caller.team_id, experiment_id)).toMatchObject({
          iterations_completed: 1,
          status: 'succeeded',
        });
      });

      test('are listed newest first, of a team or of one dataset, until they expire', async () => {
        const caller = await seedTeam(store, 50);
        const datasets = [
          await seedDataset(store, caller, { state: 'succeeded' }),
          await seedDataset(store, caller, { state: 'succeeded' }),
        ] as const;
        const ids: string[] = [];
        for (const [n, at] of [0, 1, 0].entries()) {
          const dataset = datasets[at === 0 ? 0 : 1];
          const training = makeTraining(dataset, { created_at: `2026-03-0${n + 1}T00:00:00.000Z` });
          const run = makeRun(dataset, {
            run_id: training.experiment_id,
            pipeline: 'train',
            started_at: training.created_at,
          });
          await store.ledger.launch(launchOf(run, { companion: training }));
          await store.ledger.end(endingOf(run, { counts: null }));
          ids.unshift(training.experiment_id);
        }
        const list = async (limit: number, after: string | null, datasetId?: string) => {
          const page = await store.trainings.list(caller.team_id, {
            limit,
            after,
            ...(datasetId === undefined ? {} : { datasetId }),
          });
          return { ids: page.trainings.map(({ experiment_id }) => experiment_id), next: page.next };
        };

        const first = await list(2, null);
        expect(first.ids).toEqual(ids.slice(0, 2));
        expect(await list(2, first.next)).toEqual({ ids: ids.slice(2), next: null });
        const own = await list(1, null, datasets[0].dataset_id);
        expect(own.ids).toEqual([ids[0]]);
        expect(await list(1, own.next, datasets[0].dataset_id)).toEqual({ ids: [ids[2]], next: null });
        await store.trainings.expire(ids[0] ?? '', NOW);
        expect((await list(9, null)).ids).toEqual(ids.slice(1));
        expect(await store.trainings.find(caller.team_id, ids[0] ?? '')).toBeNull();
        expect(await store.trainings.find(caller.team_id, ids[1] ?? '')).not.toBeNull();
      });

      test('keep their dataset from being deleted, and no longer than they go on', async () => {
        const { caller, dataset, run } = await launchTraining();
        const remove = () => store.datasets.delete(caller, dataset.dataset_id, NOW);

        await expect(remove()).rejects.toMatchObject({ code: 'training_running' });
        expect(await store.datasets.find(dataset.dataset_id)).toEqual(dataset);
        await store.ledger.end(endingOf(run, { counts: null }));
        expect(await remove()).toMatchObject({ state: 'deleted' });
      });

      test('are not begun of a dataset that was deleted', async () => {
        const caller = await seedTeam(store, 50);
        const dataset = await seedDataset(store, caller, { state: 'succeeded' });
        await store.datasets.delete(caller, dataset.dataset_id, NOW);
        const training = makeTraining(dataset);
        const run = makeRun(dataset, { run_id: training.experiment_id, pipeline: 'train' });

        await expect(store.ledger.launch(launchOf(run, { companion: training }))).rejects.toMatchObject({
          code: 'dataset_not_found',
        });
      });

      test('have attempts that are queued once, and revoked for good', async () => {
        const id = { experiment_id: randomUUID(), iteration: 1, attempt: 1 };
        const at = '2026-03-01T12:00:00.000Z';
        await store.trainings.queueAttempt(id, { job_key: 'a', queued_at: at });
        await store.trainings.queueAttempt(id, { job_key: 'b', queued_at: at });

        expect(await store.trainings.findAttempt(id)).toEqual({
          state: 'queued',
          job_key: 'a',
          queued_at: at,
        });
        const until = '2026-03-01T18:00:00.000Z';
        expect(await store.trainings.excuseAttempt(id, until)).toBe(true);
        expect((await store.trainings.findAttempt(id))?.waits_until).toBe(until);
        await store.trainings.revokeAttempt(id);
        expect((await store.trainings.findAttempt(id))?.state).toBe('revoked');
        expect(await store.trainings.excuseAttempt(id, at)).toBe(false);
        expect((await store.trainings.findAttempt(id))?.waits_until).toBe(until);
        expect(await store.trainings.excuseAttempt({ ...id, attempt: 2 }, at)).toBe(false);
        expect(await store.trainings.findAttempt({ ...id, attempt: 2 })).toBeNull();
        await store.trainings.revokeAttempt({ ...id, attempt: 2 });
        expect(await store.trainings.findAttempt({ ...id, attempt: 2 })).toBeNull();

        const revoked = async (before: string) => {
          const listed: object[] = [];
          for await (const each of store.trainings.listRevoked(before)) {
            if (each.experiment_id === id.experiment_id) listed.push(each);
          }
          return listed;
        };
        expect(await revoked('9999')).toEqual([id]);
        expect(await revoked('2000')).toEqual([]);
        await store.trainings.forgetRevoked(id);
        expect(await revoked('9999')).toEqual([]);
        expect((await store.trainings.findAttempt(id))?.state).toBe('revoked');
      });

      test('have one current attempt, the newest, until they end', async () => {
        const { training, run } = await launchTraining();
        const first = { experiment_id: training.experiment_id, iteration: 1, attempt: 1 };
        const second = { ...first, attempt: 2 };
        const areCurrent = () =>
          Promise.all([first, second, { ...first, iteration: 2 }].map((id) => store.trainings.isCurrent(id)));
        const begin = (attempt: number, iteration = 1) =>
          store.trainings.beginAttempt({ ...first, iteration, attempt }, '2026-03-01T12:00:00.000Z');

        expect(await areCurrent()).toEqual([false, false, false]);
        expect(await begin(1)).toBe(true);
        expect(await begin(1)).toBe(true);
        expect(await areCurrent()).toEqual([true, false, false]);
        expect(await begin(2)).toBe(true);
        expect(await areCurrent()).toEqual([false, true, false]);
        expect(await begin(1)).toBe(false);
        expect(await areCurrent()).toEqual([false, true, false]);
        await store.trainings.recordProgress(first.experiment_id, { iterations_completed: 1, attempt: null });
        expect(await begin(3)).toBe(false);
        expect(await areCurrent()).toEqual([false, false, false]);
        expect(await begin(1, 2)).toBe(true);
        expect(await areCurrent()).toEqual([false, false, true]);
        await store.ledger.end(endingOf(run, { counts: null }));
        expect(await areCurrent()).toEqual([false, false, false]);
        expect(await begin(2, 2)).toBe(false);
        expect(await store.trainings.isCurrent({ ...first, experiment_id: randomUUID() })).toBe(false);
      });

      test('that end have their last attempt revoked, also where it is queued only then', async () => {
        const { training, run } = await launchTraining();
        const earlier = { experiment_id: training.experiment_id, iteration: 1, attempt: 1 };
        const last = { ...earlier, attempt: 2 };
        const queued = { job_key: 'a', queued_at: '2026-03-01T12:00:00.000Z' };
        for (const id of [earlier, last]) await store.trainings.queueAttempt(id, queued);
        const { iteration, attempt } = last;
        const progress = { attempt: { iteration, attempt, queued_at: queued.queued_at } };
        await store.trainings.recordProgress(training.experiment_id, progress);
        await store.ledger.end(endingOf(run, { counts: null }));

        expect((await store.trainings.findAttempt(last))?.state).toBe('revoked');
        expect((await store.trainings.findAttempt(earlier))?.state).toBe('queued');

        const late = await launchTraining();
        const lateId = { ...last, experiment_id: late.training.experiment_id };
        await store.trainings.recordProgress(lateId.experiment_id, progress);
        await store.ledger.end(endingOf(late.run, { counts: null }));
        expect(await store.trainings.findAttempt(lateId)).toBeNull();
        await store.trainings.queueAttempt(lateId, queued);
        expect(await store.trainings.findAttempt(lateId)).toBeNull();
      });

      describe('redeem vouchers', () => {
        const seedVoucher = async (fields: Partial<Voucher> = {}): Promise<Voucher> => {
          const voucher: Voucher = {
            code: randomUUID(),
            percent: 10,
            uses: 0,
            uses_max: null,
            valid_until: null,
            team_id: null,
            created_at: timestamp(NOW),
            revoked_at: null,
            ...fields,
          };
          await store.vouchers.create(voucher);
          return voucher;
        };
        const redeem = (code: string) =>
          launchTraining({}, { voucher: code }).then(
            () => 'launched',
            (error: { code: string }) => error.code,
          );

        test('as often as they may be', async () => {
          const { code } = await seedVoucher({ uses_max: 2 });

          expect(await redeem(code)).toBe('launched');
          expect(await redeem(code)).toBe('launched');
          expect(await redeem(code)).toBe('voucher_invalid');
          expect((await store.vouchers.find(code))?.uses).toBe(2);
        });

        test('with their launch or not at all', async () => {
          const { code } = await seedVoucher();
          const begun = await launchTraining({}, { voucher: code });
          await store.ledger
            .launch(
              launchOf(
                { ...begun.run, run_id: randomUUID() },
                { companion: { ...begun.training, experiment_id: randomUUID() }, voucher: code },
              ),
            )
            .catch(() => {});

          expect((await store.vouchers.find(code))?.uses).toBe(1);
        });

        test.each<[string, Partial<Voucher>, string]>([
          ['that expire later', { valid_until: '2026-03-01T12:00:00.001Z' }, 'launched'],
          ['that have expired', { valid_until: '2026-03-01T12:00:00.000Z' }, 'voucher_invalid'],
          ['of another team', { team_id: 'other' }, 'voucher_invalid'],
          ['that were revoked', { revoked_at: timestamp(NOW) }, 'voucher_invalid'],
        ])('%s', async (_, fields, outcome) => {
          const { code } = await seedVoucher(fields);

          expect(await redeem(code)).toBe(outcome);
        });

        test('that there are', async () => {
          expect(await redeem(randomUUID())).toBe('voucher_invalid');
          expect(await store.vouchers.find(randomUUID())).toBeNull();
          expect(await store.vouchers.revoke(randomUUID(), timestamp(NOW))).toBe(false);
        });

        test('that are made once, listed, and revoked at the first time', async () => {
          const voucher = await seedVoucher();

          expect(await store.vouchers.create({ ...voucher, percent: 99 })).toBe(false);
          expect(await store.vouchers.revoke(voucher.code, timestamp(NOW))).toBe(true);
          expect(await store.vouchers.revoke(voucher.code, timestamp(NOW + 1))).toBe(true);
          expect(await store.vouchers.list()).toContainEqual({ ...voucher, revoked_at: timestamp(NOW) });
        });
      });
    });

    test('jobs that were run elsewhere are kept with their dataset, one of each id', async () => {
      const job: FinetuneJob = {
        finetune_job_id: randomUUID(),
        dataset_id: randomUUID(),
        team_id: randomUUID(),
        status: 'succeeded',
        original_model_name: 'a model',
        trained_model_name: null,
        training_method: 'dpo',
        training_type: 'full',
        data_format: 'preference',
        hyperparams: { n_epochs: 1, packing: true },
        completed_at: timestamp(NOW),
      };
      await store.finetuneJobs.save(job);
      await store.finetuneJobs.save({ ...job, status: 'failed' });

      expect(await store.finetuneJobs.list(job.dataset_id)).toEqual([{ ...job, status: 'failed' }]);
      expect(await store.finetuneJobs.list(randomUUID())).toEqual([]);
    });

    describe('custom evaluations', () => {
      const make = (dataset_id: string, fields: Partial<CustomEvalRecord> = {}): CustomEvalRecord => ({
        custom_eval_id: randomUUID(),
        dataset_id,
        team_id: randomUUID(),
        run_id: 'run-1',
        status: 'pending',
        judge_prompt: 'Score from 0 to 10 how well sources are named.',
        name: null,
        score_before: null,
        score_after: null,
        improvement_percent: null,
        scored_rows: null,
        error_message: null,
        created_at: '2026-03-01T12:00:00.000Z',
        completed_at: null,
        ...fields,
      });

      test('are found by their dataset alone, and listed newest first', async () => {
        const [mine, other] = [randomUUID(), randomUUID()];
        const early = make(mine);
        const late = make(mine, { created_at: '2026-03-02T12:00:00.000Z' });
        for (const record of [late, early, make(other)]) await store.customEvals.create(record);

        expect(await store.customEvals.list(mine, 40)).toEqual([late, early]);
        expect(await store.customEvals.list(mine, 1)).toEqual([late]);
        expect(await store.customEvals.find(mine, early.custom_eval_id)).toEqual(early);
        expect(await store.customEvals.find(other, early.custom_eval_id)).toBeNull();
      });

      test('end once, and do not begin again', async () => {
        const record = make(randomUUID());
        const { dataset_id, custom_eval_id } = record;
        const end = {
          status: 'succeeded',
          score_before: 4.25,
          score_after: 8,
          improvement_percent: 88.2,
          scored_rows: 12,
          error_message: null,
          completed_at: '2026-03-01T12:30:00.000Z',
        } as const;
        await store.customEvals.create(record);

        await store.customEvals.begin(dataset_id, custom_eval_id);
        expect((await store.customEvals.find(dataset_id, custom_eval_id))?.status).toBe('running');
        expect(await store.customEvals.end(record, end)).toBe(true);
        await store.customEvals.begin(dataset_id, custom_eval_id);
        expect(await store.customEvals.end(record, { ...end, score_after: 1 })).toBe(false);
        expect(await store.customEvals.find(dataset_id, custom_eval_id)).toEqual({ ...record, ...end });
      });
    });

    test('the latest scores of graded datasets are listed, but for the one that asks', async () => {
      const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
      const quality = (score: number) => ({
        grade_before: 'C' as const,
        grade_after: 'B' as const,
        score_before: 6,
        score_after: score,
        percentile_after: null,
        improvement_percent: null,
      });
      const startedAt = '2026-03-01T12:00:00.000Z';
      const later = '2026-03-02T12:00:00.000Z';
      for (const [dataset_id, graded, at] of [
        [one, quality(7.25), later],
        [one, quality(2), startedAt],
        [two, quality(8.5), startedAt],
        [three, null, startedAt],
      ] as const) {
        await store.datasets.recordEvaluation(dataset_id === two ? 'other team' : 'team', {
          dataset_id,
          run_id: `run of ${at}`,
          status: 'succeeded',
          quality: graded,
          results_key: null,
          started_at: at,
          updated_at: at,
        });
      }

      expect((await store.datasets.listGradedScores(randomUUID())).sort()).toEqual([[7.25], [8.5]]);
      expect(await store.datasets.listGradedScores(two)).toEqual([[7.25]]);

      await store.datasets.expireRecords(one, Date.parse(startedAt));

      expect(await store.datasets.listGradedScores(randomUUID())).toEqual([[8.5]]);
    });

    describe('lists', () => {
      const caller = makeCaller();
      const all: DatasetRecord[] = [];
      beforeAll(async () => {
        const fields: Partial<DatasetRecord>[] = [
          { name: 'Zürich FAQ', state: 'succeeded', kind: 'uploaded' },
          { name: 'alpha', state: 'awaiting_upload', kind: 'combined', description: 'Über STÄDTE.' },
          { name: 'alpha! faq', state: 'ingesting', kind: 'translated', run_id: 'r' },
          { name: 'ALPHA', state: 'failed', kind: 'augmented' },
          { name: 'gamma%_#', state: 'running', kind: 'invented', run_id: 'r' },
          { name: 'é'.repeat(255), state: 'awaiting_input', kind: 'uploaded' },
        ];
        for (const [index, each] of fields.entries()) {
          all.push(
            await seedDataset(store, caller, {
              ...each,
              created_at: `2026-02-0${index + 1}T00:00:00.000Z`,
              updated_at: `2026-02-${20 - index}T00:00:00.000Z`,
              created_by_user_id: index === 0 ? makeCaller().user_id : caller.user_id,
            }),
          );
        }
        await seedDataset(store, makeCaller(), { name: 'foreign faq' });
        const deleted = await seedDataset(store, caller, { name: 'deleted faq' });
        await store.datasets.delete(caller, deleted.dataset_id, NOW);
      });

      const listed = async (fields: Partial<ListSelection>): Promise<number[]> => {
        const { datasets } = await store.datasets.list(caller.team_id, { ...everything, ...fields });
        return datasets.map(({ dataset_id }) => all.findIndex((each) => each.dataset_id === dataset_id));
      };

      test.each<[string, Partial<ListSelection>, number[]]>([
        ['newest first', {}, [5, 4, 3, 2, 1, 0]],
        ['oldest first', { descending: false }, [0, 1, 2, 3, 4, 5]],
        ['by update', { sort: 'updated_at' }, [0, 1, 2, 3, 4, 5]],
        ['after a time, which is not included', { createdAfter: '2026-02-03T00:00:00.000Z' }, [5, 4, 3]],
        ['before a time, which is not included', { createdBefore: '2026-02-03T00:00:00.000Z' }, [1, 0]],
        [
          'between two times',
          { createdAfter: '2026-02-02T00:00:00.000Z', createdBefore: '2026-02-05T00:00:00.000Z' },
          [3, 2],
        ],
        [
          'between two times, by update',
          {
            sort: 'updated_at',
            createdAfter: '2026-02-02T00:00:00.000Z',
            createdBefore: '2026-02-05T00:00:00.000Z',
          },
          [2, 3],
        ],
        [
          'nothing between two times in the wrong order',
          { createdAfter: '2026-02-05T00:00:00.000Z', createdBefore: '2026-02-02T00:00:00.000Z' },
          [],
        ],
        ['whose name contains a text in any case', { contains: 'faq' }, [2, 0]],
        ['whose description contains a text in any case', { contains: 'städte' }, [1]],
        ['whose name contains signs', { contains: '%_#' }, [4]],
        ['whose name contains a letter beyond ASCII', { contains: 'zü' }, [0]],
        ['in some states', { states: ['succeeded', 'failed'] }, [3, 0]],
        ['of some kinds', { kinds: ['translated', 'augmented'] }, [3, 2]],
        ['of one user', { createdByUserId: caller.user_id }, [5, 4, 3, 2, 1]],
        ['by several filters', { contains: 'alpha', states: ['failed'], kinds: ['augmented'] }, [3]],
        ['nothing', { contains: 'no such name' }, []],
      ])('%s', async (_title, fields, expected) => {
        expect(await listed(fields)).toEqual(expected);
      });

      test('by name, in any case', async () => {
        expect((await listed({ sort: 'name', descending: false })).map((index) => all[index]?.name)).toEqual([
          ...all
            .filter(({ name: each }) => each.toLowerCase() === 'alpha')
            .sort(byId)
            .map((each) => each.name),
          'alpha! faq',
          'gamma%_#',
          'Zürich FAQ',
          'é'.repeat(255),
        ]);
      });

      test.each(['created_at', 'updated_at', 'name'] as const)(
        'pages by %s hold every dataset once, and the last one says so',
        async (sort) => {
          for (const filter of [{}, { createdByUserId: caller.user_id }]) {
            const whole = await listed({ sort, ...filter });
            const paged: string[] = [];
            let after: string | null = null;
            let pages = 0;
            do {
              const page: { datasets: DatasetRecord[]; next: string | null } = await store.datasets.list(
                caller.team_id,
                { ...everything, ...filter, sort, limit: 2, after },
              );
              expect(page.datasets.length).toBeLessThanOrEqual(2);
              paged.push(...page.datasets.map(({ dataset_id }) => dataset_id));
              after = page.next;
              pages += 1;
            } while (after !== null);

            expect(pages).toBe(3);
            expect(paged).toEqual(whole.map((index) => all[index]?.dataset_id));
          }
        },
      );
    });

    describe('launch', () => {
      test('reserves the credits, writes the run and moves the dataset', async () => {
        const caller = await seedTeam(store, 10);
        const dataset = await seedDataset(store, caller, {
          state: 'failed',
          error_data: interruption,
        });
        const run = makeRun(dataset, { reserved_credits: 4 });

        const mapping = { prompt: 'question', context: [] };
        const outcome = await store.ledger.launch(
          launchOf(run, { changes: { configured_column_mapping: mapping } }),
        );

        expect(outcome).toEqual({ replayed: null });
        expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({
          granted: 10,
          settled: 0,
          held: 4,
          available: 6,
          active_runs: 1,
        });
        expect(await store.runs.find(dataset.dataset_id, run.run_id)).toEqual(run);
        expect(await store.datasets.find(dataset.dataset_id)).toEqual({
          ...dataset,
          state: 'running',
          run_id: run.run_id,
          error_data: null,
          configured_column_mapping: mapping,
          updated_at: run.started_at,
        });
        expect(await faultsOf(store, caller.team_id)).toEqual([]);
      });

      test('of the same run a second time changes nothing', async () => {
        const caller = await seedTeam(store, 10);
        const run = makeRun(await seedDataset(store, caller));

        await store.ledger.launch(launchOf(run));

        expect(await store.ledger.launch(launchOf(run))).toEqual({ replayed: null });
        expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({ held: 2, active_runs: 1 });
      });

      test.each<
        [string, (dataset: DatasetRecord, caller: Caller) => Partial<Launch> & { run: RunRecord }, object]
      >([
        [
          'credits that are not there',
          (dataset) => ({ run: makeRun(dataset, { reserved_credits: 11 }) }),
          {
            code: 'credits_insufficient',
            details: [expect.objectContaining({ needed: 11, available: 10 })],
          },
        ],
        [
          'more runs than the plan allows',
          (dataset) => ({ run: makeRun(dataset), runsAtOnce: 0 }),
          { code: 'runs_limit_reached' },
        ],
        [
          'a dataset of another team',
          (dataset) => ({ run: makeRun(dataset, { team_id: randomUUID() }) }),
          { code: 'dataset_not_found' },
        ],
        [
          'a missing dataset',
          (dataset) => ({ run: makeRun(dataset, { dataset_id: randomUUID() }) }),
          { code: 'dataset_not_found' },
        ],
      ])('refuses %s and changes nothing', async (_title, prepare, refusal) => {
        const caller = await seedTeam(store, 10);
        const dataset = await seedDataset(store, caller);
        const { run, ...fields } = prepare(dataset, caller);

        await expect(
          store.ledger.launch(launchOf(run, { idempotency: recordOf(run), ...fields })),
        ).rejects.toMatchObject(refusal);

        expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({
          available: 10,
          active_runs: 0,
        });
        expect(await store.runs.find(run.dataset_id, run.run_id)).toBeNull();
        expect(await store.datasets.find(dataset.dataset_id)).toEqual(dataset);
        expect(await store.idempotency.find(recordOf(run))).toBeNull();
        expect(await faultsOf(store, caller.team_id)).toEqual([]);
      });

      test.each(DatasetState.options)('of an adaptation in state %s', async (state) => {
        const caller = await seedTeam(store, 10);
        const runId = state === 'running' || state === 'ingesting' ? randomUUID() : null;
        const dataset = await seedDataset(store, caller, { state, run_id: runId });
        const outcome = await store.ledger
          .launch(launchOf(makeRun(dataset)))
          .catch((error: { code: string }) => error.code);

        if (state === 'deleted') expect(outcome).toBe('dataset_not_found');
        else if (state === 'running') expect(outcome).toBe('dataset_running');
        else if (statesBefore('running').includes(state)) expect(outcome).toEqual({ replayed: null });
        else expect(outcome).toBe('dataset_not_ready');
      });

      test.each(DatasetState.options)('of a pilot in state %s leaves the dataset as it is', async (state) => {
        const caller = await seedTeam(store, 10);
        const dataset = await seedDataset(store, caller, { state });
        const before = await store.datasets.find(dataset.dataset_id);
        const run = makeRun(dataset, { pipeline: 'pilot' });
        const outcome = await store.ledger.launch(launchOf(run)).catch(({ code }: { code: string }) => code);

        if (state === 'deleted') expect(outcome).toBe('dataset_not_found');
        else if (state === 'running') expect(outcome).toBe('dataset_running');
        else if (statesBefore('running').includes(state)) expect(outcome).toEqual({ replayed: null });
        else expect(outcome).toBe('dataset_not_ready');
        expect(await store.datasets.find(dataset.dataset_id)).toEqual(before);
      });

      test.each([{ row_count: 0 }, { row_count: null }, { manifest_key: null }])(
        'refuses a dataset without rows: %o',
        async (fields) => {
          const caller = await seedTeam(store, 10);
          const dataset = await seedDataset(store, caller, { state: 'failed', ...fields });

          await expect(store.ledger.launch(launchOf(makeRun(dataset)))).rejects.toMatchObject({
            code: 'dataset_not_ready',
          });
        },
      );

      test.each(DatasetState.options)(
        'of an ingest in state %s takes no credits and no place',
        async (state) => {
          const caller = await seedTeam(store, 0);
          const dataset = makeEmptyDataset(caller, { state });
          await store.datasets.create(dataset);
          const run = makeRun(dataset, { pipeline: 'ingest', reserved_credits: 0, total_rows: null });
          const outcome = await store.ledger
            .launch(launchOf(run, { runsAtOnce: 0 }))
            .catch((error: { code: string }) => error.code);

          if (state === 'deleted') expect(outcome).toBe('dataset_not_found');
          else if (statesBefore('ingesting').includes(state)) {
            expect(outcome).toEqual({ replayed: null });
            expect(await store.datasets.find(dataset.dataset_id)).toMatchObject({
              state: 'ingesting',
              run_id: run.run_id,
            });
            expect(await store.ledger.findBalance(caller.team_id)).toEqual(emptyBalance(caller.team_id));
            expect(await store.ledger.listEntries(caller.team_id)).toEqual([]);
          } else expect(outcome).toBe('dataset_not_ready');
        },
      );

      test('answers the first request of a key, whatever has become of its run', async () => {
        const caller = await seedTeam(store, 10);
        const dataset = await seedDataset(store, caller);
        const first = makeRun(dataset);
        const record = recordOf(first);
        await store.ledger.launch(launchOf(first, { idempotency: record }));
        const again = () => {
          const run = makeRun(dataset);
          return store.ledger.launch(launchOf(run, { idempotency: recordOf(run) }));
        };

        expect(await again()).toEqual({ replayed: record });
        await store.ledger.end(endingOf(first));
        expect(await again()).toEqual({ replayed: record });
        expect(await store.ledger.listHolds(caller.team_id)).toHaveLength(1);
      });

      test('that makes its dataset writes it with the run, and a repeated key makes no second one', async () => {
        const caller = await seedTeam(store, 0);
        const launch = () => {
          const newDataset = makeEmptyDataset(caller, { kind: 'combined' });
          const run = makeRun(newDataset, { pipeline: 'combine', reserved_credits: 0 });
          const idempotency = recordOf(run, {
            operation: 'combine',
            dataset_id: NEW_DATASET,
            new_dataset_id: newDataset.dataset_id,
          });
          return { newDataset, run, launched: launchOf(run, { newDataset, idempotency, runsAtOnce: 0 }) };
        };
        const first = launch();
        const second = launch();

        expect(await store.ledger.launch(first.launched)).toEqual({ replayed: null });
        expect(await store.ledger.launch(second.launched)).toEqual({
          replayed: first.launched.idempotency,
        });

        expect(await store.datasets.find(first.newDataset.dataset_id)).toEqual({
          ...first.newDataset,
          state: 'ingesting',
          run_id: first.run.run_id,
          updated_at: first.run.started_at,
        });
        expect(await store.datasets.find(second.newDataset.dataset_id)).toBeNull();
        expect((await store.datasets.list(caller.team_id, everything)).datasets).toHaveLength(1);
        await store.ledger.end(endingOf(first.run, { billedCredits: 0, counts: null }));
        expect(await store.datasets.find(first.newDataset.dataset_id)).toMatchObject({
          state: 'succeeded',
          last_run_id: null,
        });
      });

      test('keys of another dataset, team, operation or text are other keys', async () => {
        const caller = await seedTeam(store, 10);
        const first = makeRun(await seedDataset(store, caller));
        await store.ledger.launch(launchOf(first, { idempotency: recordOf(first) }));
        const other = makeRun(await seedDataset(store, caller));
        const otherTeam = await seedTeam(store, 10);

        expect(await store.ledger.launch(launchOf(other, { idempotency: recordOf(other) }))).toEqual({
          replayed: null,
        });
        const scope = recordOf(first);
        expect(await store.idempotency.find(scope)).toEqual(scope);
        expect(await store.idempotency.find({ ...scope, key_hash: 'x' })).toBeNull();
        expect(await store.idempotency.find({ ...scope, team_id: otherTeam.team_id })).toBeNull();
      });

      test('a key is free again when its run could not be started, or after thirty days', async () => {
        const caller = await seedTeam(store, 10);
        const dataset = await seedDataset(store, caller);
        const launch = async (): Promise<RunRecord | null> => {
          const run = makeRun(dataset);
          const { replayed } = await store.ledger.launch(launchOf(run, { idempotency: recordOf(run) }));
          if (replayed === null) await store.ledger.end(endingOf(run));
          return replayed === null ? run : null;
        };
        const first = await launch();
        if (first === null) throw new Error('the first launch was a replay');

        await store.idempotency.forget(recordOf(first), 'another run');
        expect(await launch()).toBeNull();
        await store.idempotency.forget(recordOf(first), first.run_id);
        expect(await launch()).not.toBeNull();

        const days = IDEMPOTENCY_DAYS * 86_400_000;
        try {
          clock = NOW + days - 1000;
          expect(await launch()).toBeNull();
          clock = NOW + days;
          expect(await store.idempotency.find(recordOf(first))).toBeNull();
          expect(await launch()).not.toBeNull();
        } finally {
          clock = NOW;
        }
      });
    });

    describe('end', () => {
      const launched = async (fields: Partial<RunRecord> = {}, ofDataset: Partial<DatasetRecord> = {}) => {
        const caller = await seedTeam(store, 10);
        const dataset = await seedDataset(store, caller, ofDataset);
        const run = makeRun(dataset, { reserved_credits: 4, ...fields });
        await store.ledger.launch(launchOf(run));
        return { caller, dataset, run };
      };

      test.each([
        { billed: 4, state: 'settled' },
        { billed: 1, state: 'settled' },
        { billed: 0, state: 'released' },
      ])('bills $billed of 4 and returns the rest', async ({ billed, state }) => {
        const { caller, dataset, run } = await launched();

        const ended = await store.ledger.end(endingOf(run, { billedCredits: billed }));

        expect(ended).toMatchObject({
          status: 'succeeded',
          settled_credits: billed,
          ended_at: '2026-03-01T12:30:00.000Z',
        });
        expect(await store.runs.find(dataset.dataset_id, run.run_id)).toEqual(ended);
        expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({
          settled: billed,
          held: 0,
          available: 10 - billed,
          active_runs: 0,
        });
        expect(await store.ledger.listHolds(caller.team_id)).toMatchObject([
          { run_id: run.run_id, state, settled_credits: billed },
        ]);
        expect(await faultsOf(store, caller.team_id)).toEqual([]);
      });

      test('moves the dataset and sets what the run found', async () => {
        const { dataset, run } = await launched();
        const summary = {
          grade_before: 'D',
          grade_after: 'B',
          score_before: 5,
          score_after: 8,
          improvement_percent: 60,
        } as const;

        await store.ledger.end(endingOf(run, { changes: { evaluation_summary: summary } }));

        expect(await store.datasets.find(dataset.dataset_id)).toEqual({
          ...dataset,
          state: 'succeeded',
          run_id: null,
          last_run_id: run.run_id,
          result: { run_id: run.run_id, configured_column_mapping: null },
          output_row_count: 120,
          evaluation_summary: summary,
          updated_at: '2026-03-01T12:30:00.000Z',
        });
      });

      test('a failed run says why, and its dataset too', async () => {
        const { dataset, run } = await launched();

        await store.ledger.end(
          endingOf(run, { status: 'failed', billedCredits: 0, errorData: interruption, counts: null }),
        );

        const failed = { error_data: interruption };
        expect(await store.runs.find(dataset.dataset_id, run.run_id)).toMatchObject({
          status: 'failed',
          ...failed,
        });
        expect(await store.datasets.find(dataset.dataset_id)).toMatchObject({ state: 'failed', ...failed });
      });

      test.each([
        { mode: 'adapt', status: 'succeeded', state: 'awaiting_input' },
        { mode: 'raw', status: 'succeeded', state: 'succeeded' },
        { mode: 'adapt', status: 'failed', state: 'failed' },
      ] as const)('an ingest in mode $mode that $status leaves $state', async ({ mode, status, state }) => {
        const { caller, dataset, run } = await launched(
          { pipeline: 'ingest', reserved_credits: 0 },
          { state: 'awaiting_upload', processing_mode: mode },
        );

        await store.ledger.end(
          endingOf(run, { status, counts: null, errorData: status === 'failed' ? interruption : null }),
        );

        expect(await store.datasets.find(dataset.dataset_id)).toMatchObject({
          state,
          run_id: null,
          last_run_id: null,
        });
        expect(await faultsOf(store, caller.team_id)).toEqual([]);
      });

      test('a second end, whatever its outcome, changes nothing and answers the first', async () => {
        const { caller, dataset, run } = await launched();
        const first = await store.ledger.end(endingOf(run, { billedCredits: 3 }));
        const before = [
          await store.ledger.findBalance(caller.team_id),
          await store.datasets.find(dataset.dataset_id),
        ];

        const again = await store.ledger.end(
          endingOf(run, {
            status: 'failed',
            billedCredits: 0,
            errorData: interruption,
            endedAt: '2026-03-01T13:00:00.000Z',
          }),
        );

        expect(again).toEqual(first);
        expect([
          await store.ledger.findBalance(caller.team_id),
          await store.datasets.find(dataset.dataset_id),
        ]).toEqual(before);
      });

      test('of an old run leaves the dataset to the run that is active now', async () => {
        const { caller, dataset, run } = await launched();
        await store.ledger.end(endingOf(run));
        const next = makeRun(dataset);
        await store.ledger.launch(launchOf(next));

        await store.ledger.end(
          endingOf(run, { status: 'failed', billedCredits: 0, errorData: interruption }),
        );

        expect(await store.datasets.find(dataset.dataset_id)).toMatchObject({
          state: 'running',
          run_id: next.run_id,
        });
        expect(await faultsOf(store, caller.team_id)).toEqual([]);
      });

      test.each([5, -1, 0.5])('never bills %d of 4', async (billedCredits) => {
        const { caller, run } = await launched();

        await expect(store.ledger.end(endingOf(run, { billedCredits }))).rejects.toThrow(RangeError);

        expect(await store.ledger.findBalance(caller.team_id)).toMatchObject({ held: 4, settled: 0 });
      });

      test('a run that is not there cannot end', async () => {
        const run = makeRun(makeDataset(makeCaller()));

        await expect(store.ledger.end(endingOf(run))).rejects.toThrow(run.run_id);
      });
    });

    describe('books', () => {
      test('list a team’s entries newest first, page by page, and end', async () => {
        const caller = await seedTeam(store, 10);
        await seedTeam(store, 10);
        const run = makeRun(await seedDataset(store, caller), { reserved_credits: 4 });
        await store.ledger.launch(launchOf(run));
        await store.ledger.end(endingOf(run, { billedCredits: 3 }));
        const whole = (await store.ledger.listEntries(caller.team_id)).sort((a, b) =>
          `${a.created_at}${a.entry_id}` > `${b.created_at}${b.entry_id}` ? -1 : 1,
        );

        const paged: LedgerEntry[] = [];
        let after: string | null = null;
        let pages = 0;
        do {
          const page = await store.books.listNewest(caller.team_id, { limit: 3, after });
          paged.push(...page.entries);
          after = page.next;
          pages += 1;
        } while (after !== null);

        expect([pages, paged.map(({ type }) => type)]).toEqual([
          2,
          ['settle', 'release', 'reserve', 'grant'],
        ]);
        expect(paged).toEqual(whole);
        expect(paged[0]?.dataset_id).toBe(run.dataset_id);
        expect(await store.books.listNewest(caller.team_id, { limit: 4, after: null })).toEqual({
          entries: whole,
          next: null,
        });
        expect(await store.books.findBalance(caller.team_id)).toEqual(
          await store.ledger.findBalance(caller.team_id),
        );
      });

      test('list what runs were billed in a range of days, both ends included, and no answers', async () => {
        const caller = await seedTeam(store, 100);
        const dataset = await seedDataset(store, caller);
        const bill = async (billedCredits: number, endedAt: string): Promise<void> => {
          const run = makeRun(dataset, { reserved_credits: 9 });
          await store.ledger.launch(launchOf(run));
          await store.ledger.end(endingOf(run, { billedCredits, endedAt }));
        };
        await bill(1, '2026-02-28T23:59:59.999Z');
        await bill(2, '2026-03-01T00:00:00.000Z');
        await bill(0, '2026-03-01T12:00:00.000Z');
        await bill(3, '2026-03-02T23:59:59.999Z');
        await bill(4, '2026-03-03T00:00:00.000Z');
        await store.meter.exchange({
          team_id: caller.team_id,
          shard: 0,
          block: 0,
          reserve: 5,
          settle: 0,
          release: 0,
          admission: null,
          at: '2026-03-01T01:00:00.000Z',
        });

        expect(
          await store.books.listBilledRuns(caller.team_id, { from: '2026-03-01', to: '2026-03-02' }, 1000),
        ).toEqual({
          runs: [
            { credits: 3, created_at: '2026-03-02T23:59:59.999Z' },
            { credits: 2, created_at: '2026-03-01T00:00:00.000Z' },
          ],
          complete_after: null,
        });
      });

      test('list runs of so many entries at most, and say after which time these are all', async () => {
        const caller = await seedTeam(store, 100);
        const dataset = await seedDataset(store, caller);
        const bill = async (billedCredits: number, endedAt: string): Promise<void> => {
          const run = makeRun(dataset, { reserved_credits: billedCredits, started_at: endedAt });
          await store.ledger.launch(launchOf(run));
          await store.ledger.end(endingOf(run, { billedCredits, endedAt }));
        };
        const times = [8, 9, 10].map((hour) => `2026-04-01T${String(hour).padStart(2, '0')}:00:00.000Z`);
        for (const [n, at] of times.entries()) await bill(n + 1, at);
        const list = (entriesMax: number) =>
          store.books.listBilledRuns(caller.team_id, { from: '2026-04-01', to: '2026-04-01' }, entriesMax);
        const { entries } = await store.books.listNewest(caller.team_id, { limit: 100, after: null });
        const ofTheDay = entries.filter(({ created_at }) => created_at.startsWith('2026-04-01'));

        const all = await list(ofTheDay.length);
        const most = await list(ofTheDay.length - 1);

        expect(ofTheDay.map(({ created_at }) => created_at)).toEqual(
          times.toReversed().flatMap((at) => [at, at]),
        );
        expect(all.complete_after).toBeNull();
        expect(all.runs.map(({ credits }) => credits)).toEqual([3, 2, 1]);
        // Of the first run one entry was read, and it does not count in part.
        expect(most.complete_after).toBe(times[0]);
        expect(most.runs.map(({ credits }) => credits)).toEqual([3, 2]);
        expect((await list(2)).runs).toEqual([{ credits: 3, created_at: times[2] }]);
        expect(await list(0)).toEqual({ runs: [], complete_after: times[2] });
      });

      test('of a team that is not there are empty', async () => {
        const teamId = randomUUID();

        expect(await store.books.findBalance(teamId)).toBeNull();
        expect(await store.books.listNewest(teamId, { limit: 1, after: null })).toEqual({
          entries: [],
          next: null,
        });
      });
    });

    describe('grants', () => {
      test('add up, and the same grant counts once', async () => {
        const caller = await seedTeam(store, 10);
        const grant = {
          entry_id: randomUUID(),
          team_id: caller.team_id,
          type: 'grant' as const,
          credits: 5,
          run_id: null,
          dataset_id: null,
          block: null,
          reason: 'refund',
          created_at: timestamp(NOW),
        };

        await store.ledger.grant(grant);

        expect(await store.ledger.grant(grant)).toMatchObject({ granted: 15, available: 15 });
        expect(await store.ledger.listEntries(caller.team_id)).toHaveLength(2);
        expect(await faultsOf(store, caller.team_id)).toEqual([]);
      });

      test('need a team', async () => {
        const teamId = randomUUID();
        await expect(
          store.ledger.grant({
            entry_id: randomUUID(),
            team_id: teamId,
            type: 'grant',
            credits: 5,
            run_id: null,
            dataset_id: null,
            block: null,
            reason: null,
            created_at: timestamp(NOW),
          }),
        ).rejects.toThrow(teamId);
        expect(await store.ledger.listEntries(teamId)).toEqual([]);
        expect(await store.ledger.findBalance(teamId)).toBeNull();
      });
    });

    describe('runs', () => {
      test('active ones are listed oldest first, page after page, until they end', async () => {
        const caller = await seedTeam(store, 100);
        const mine: RunRecord[] = [];
        for (const second of [3, 1, 2]) {
          const run = makeRun(await seedDataset(store, caller), {
            started_at: `2020-01-01T00:00:0${second}.000Z`,
          });
          await store.ledger.launch(launchOf(run));
          mine.push(run);
        }
        const active = async (): Promise<string[]> => {
          const ids: string[] = [];
          let after: string | null = null;
          do {
            const page: { runs: RunRecord[]; next: string | null } = await store.runs.listActive({
              limit: 2,
              after,
            });
            ids.push(...page.runs.map(({ run_id }) => run_id));
            after = page.next;
          } while (after !== null);
          return ids.filter((id) => mine.some(({ run_id }) => run_id === id));
        };
        const [third, first, second] = mine as [RunRecord, RunRecord, RunRecord];

        expect(await active()).toEqual([first.run_id, second.run_id, third.run_id]);
        await store.ledger.end(endingOf(second));
        expect(await active()).toEqual([first.run_id, third.run_id]);
      });

      test('of a dataset are listed oldest first', async () => {
        const caller = await seedTeam(store, 100);
        const dataset = await seedDataset(store, caller);
        const runs = [1, 2].map((day) => makeRun(dataset, { started_at: `2026-03-0${day}T00:00:00.000Z` }));
        for (const run of runs) {
          await store.ledger.launch(launchOf(run));
          await store.ledger.end(endingOf(run));
        }

        const listed = await store.runs.listOfDataset(dataset.dataset_id);

        expect(listed.map(({ run_id }) => run_id)).toEqual(runs.map(({ run_id }) => run_id));
      });

      test('of a pilot are listed newest first, those that have ended and the one that has not', async () => {
        const caller = await seedTeam(store, 100);
        const dataset = await seedDataset(store, caller, { row_count: 10, manifest_key: 'm' });
        const pilots = [1, 2, 3].map((day) =>
          makeRun(dataset, { pipeline: 'pilot', started_at: `2026-03-0${day}T00:00:00.000Z` }),
        );
        for (const [n, run] of pilots.entries()) {
          await store.ledger.launch(launchOf(run));
          if (n < 2) await store.ledger.end(endingOf(run));
        }
        const listed = async (limit: number) =>
          (await store.runs.listPilots(dataset.dataset_id, limit)).map(({ run_id }) => run_id);

        expect(await listed(40)).toEqual(pilots.map(({ run_id }) => run_id).reverse());
        expect(await listed(1)).toEqual([pilots[2]?.run_id]);
      });

      test('take a plan while they are active only', async () => {
        const caller = await seedTeam(store, 10);
        const dataset = await seedDataset(store, caller);
        const run = makeRun(dataset);
        await store.ledger.launch(launchOf(run));
        const plan = { total_rows: 50, models: { rewrite: 'm' }, prompt_versions: { rewrite: 'v1' } };

        expect(await store.runs.recordPlan(dataset.dataset_id, run.run_id, plan)).toBe(true);
        expect(await store.runs.find(dataset.dataset_id, run.run_id)).toEqual({ ...run, ...plan });
        await store.ledger.end(endingOf(run));
        const late = { ...plan, total_rows: 1 };
        expect(await store.runs.recordPlan(dataset.dataset_id, run.run_id, late)).toBe(false);
        expect(await store.runs.recordPlan(dataset.dataset_id, randomUUID(), late)).toBe(false);
        expect(await store.runs.find(dataset.dataset_id, run.run_id)).toMatchObject({ total_rows: 50 });
      });

      test('progress sums the chunks and never goes back', async () => {
        const runId = randomUUID();
        const report = (chunk: number, rows: number) => store.runs.recordBatchProgress(runId, chunk, rows);

        expect(await store.runs.readProcessedRows(runId)).toBe(0);
        await report(0, 25);
        await report(1, 10);
        await report(0, 20);
        expect(await store.runs.readProcessedRows(runId)).toBe(35);
        await Promise.all([report(0, 50), report(0, 30), report(0, 40)]);
        expect(await store.runs.readProcessedRows(runId)).toBe(60);
        expect(await store.runs.readProcessedRows(randomUUID())).toBe(0);
      });

      test('effort sums the chunks, or those but one, and keeps when a chunk was begun', async () => {
        const runId = randomUUID();
        const none = { tokens: 0, failedRows: 0, startedAtMs: null, reportedAtMs: null };
        const effort = (tokens: number, failedRows: number, startedAtMs: number) => ({
          tokens,
          failedRows,
          startedAtMs,
        });

        expect(await store.runs.readEffort(runId)).toEqual(none);
        await store.runs.recordBatchProgress(runId, 0, 10, effort(100, 1, 5000));
        await store.runs.recordBatchProgress(runId, 1, 10, effort(70, 2, 6000));
        await store.runs.recordBatchProgress(runId, 0, 20, effort(250, 1, 9000));
        await store.runs.recordBatchProgress(runId, 0, 15, effort(9999, 9, 9000));

        expect(await store.runs.readEffort(runId)).toMatchObject({
          tokens: 320,
          failedRows: 3,
          startedAtMs: 5000,
          reportedAtMs: expect.any(Number),
        });
        expect(await store.runs.readEffort(runId, 0)).toMatchObject({ tokens: 70, startedAtMs: 6000 });
        expect(await store.runs.readProcessedRows(runId)).toBe(30);

        // Of rows that were given up.
        await store.runs.recordBatchProgress(runId, 0, 20, effort(300, 2, 9000));
        await store.runs.recordBatchProgress(runId, 0, 20, effort(260, 1, 9000));
        expect(await store.runs.readEffort(runId)).toMatchObject({ tokens: 370, failedRows: 4 });
        expect(await store.runs.readProcessedRows(runId)).toBe(30);
      });

      test('leave their speed by model and kind, the latest eight, each once', async () => {
        const model = `model ${randomUUID()}`;
        const observation = (run_id: string) => ({
          run_id,
          rows: 100,
          calls: 400,
          quoted_calls_per_row: 4,
          call_seconds: 80.25,
          work_seconds: 6.5,
          evaluated_rows: 40,
          evaluation_seconds: 3,
          other_seconds: 4,
          concurrency: 16,
        });

        expect(await store.speeds.findSpeed(model, 'a')).toEqual([]);
        for (const run of ['1', '2', '2', '3', '4', '5', '6', '7', '8', '9']) {
          await store.speeds.recordSpeed(model, 'a', observation(run));
        }
        const ids = (await store.speeds.findSpeed(model, 'a')).map(({ run_id }) => run_id);
        expect(ids).toEqual(['2', '3', '4', '5', '6', '7', '8', '9']);
        expect((await store.speeds.findSpeed(model, 'a'))[0]).toEqual(observation('2'));
        expect(await store.speeds.findSpeed(model, 'b')).toEqual([]);
      });

      test('are told why they are to end while they are active, and the first reason stays', async () => {
        const caller = await seedTeam(store, 10);
        const dataset = await seedDataset(store, caller);
        const run = makeRun(dataset);
        await store.ledger.launch(launchOf(run));
        const reason = { code: 'run_cancelled', message: 'm', level: 'error' as const };
        const stop = (code: string) =>
          store.runs.requestStop(dataset.dataset_id, run.run_id, { ...reason, code });

        expect(await stop('run_cancelled')).toBe(true);
        expect(await stop('model_unavailable')).toBe(true);
        const found = await store.runs.find(dataset.dataset_id, run.run_id);
        expect(found).toEqual({ ...run, stop_reason: reason });
        await store.ledger.end(endingOf(run));
        expect(await stop('run_timed_out')).toBe(false);
        expect((await store.runs.find(dataset.dataset_id, run.run_id))?.stop_reason).toEqual(reason);
      });

      test('keep what requests to their models left out, while they are active', async () => {
        const caller = await seedTeam(store, 10);
        const dataset = await seedDataset(store, caller);
        const run = makeRun(dataset);
        await store.ledger.launch(launchOf(run));
        const record = (parts: ('schema' | 'temperature')[]) =>
          store.runs.recordLeftOut(dataset.dataset_id, run.run_id, { m: parts });

        await record(['schema']);
        await record(['schema', 'temperature']);
        await store.ledger.end(endingOf(run));
        await record([]);

        const found = await store.runs.find(dataset.dataset_id, run.run_id);
        expect(found?.left_out).toEqual({ m: ['schema', 'temperature'] });
      });

      test('progress says when it was last made', async () => {
        const runId = randomUUID();

        expect(await store.runs.lastProgressAt(runId)).toBeNull();
        await store.runs.recordBatchProgress(runId, 0, 1);
        await store.runs.recordBatchProgress(runId, 1, 1);
        const at = await store.runs.lastProgressAt(runId);

        expect(Date.parse(at ?? '')).toBeGreaterThanOrEqual(NOW);
      });
    });

    describe('access', () => {
      const team = (name: string) => ({
        team_id: randomUUID(),
        organization_id: randomUUID(),
        name,
        plan: 'default',
        created_at: timestamp(NOW),
      });

      test('names of organizations, teams and users are unique', async () => {
        const name = `name ${randomUUID()}`;
        const created_at = timestamp(NOW);
        const organization = { organization_id: randomUUID(), name, created_at };
        const user = { user_id: randomUUID(), name, created_at };
        const first = team(name);

        expect(await store.access.createOrganization(organization)).toBe(true);
        expect(
          await store.access.createOrganization({ ...organization, organization_id: randomUUID() }),
        ).toBe(false);
        expect(await store.access.createUser(user)).toBe(true);
        expect(await store.access.createUser({ ...user, user_id: randomUUID() })).toBe(false);
        expect(await store.access.createTeam(first)).toBe(true);
        expect(await store.access.createTeam(team(name))).toBe(false);

        expect(await store.access.findOrganizationByName(name)).toEqual(organization);
        expect(await store.access.findUserByName(name)).toEqual(user);
        expect(await store.access.findTeamByName(name)).toEqual(first);
        expect(await store.access.findTeam(first.team_id)).toEqual(first);
        expect(await store.access.findTeamByName('nobody')).toBeNull();
        expect(await store.access.listOrganizations()).toContainEqual(organization);
        expect(await store.access.listUsers()).toContainEqual(user);
        expect((await store.access.listTeams()).filter((each) => each.name === name)).toEqual([first]);
      });

      test('a new team has an empty balance', async () => {
        const created = team(`team ${randomUUID()}`);
        await store.access.createTeam(created);

        expect(await store.ledger.findBalance(created.team_id)).toEqual(emptyBalance(created.team_id));
      });

      test('a user is in several teams, once each', async () => {
        const [one, two, user] = [randomUUID(), randomUUID(), randomUUID()];
        await store.access.addMember(one, user, NOW);
        await store.access.addMember(one, user, NOW + 1);
        await store.access.addMember(two, user, NOW);

        expect(await store.access.listMembers(one)).toEqual([user]);
        expect(await store.access.listMembers(two)).toEqual([user]);
        expect(await store.access.isMember(two, user)).toBe(true);
        expect(await store.access.isMember(two, randomUUID())).toBe(false);
      });

      test('a revoked key is revoked wherever it is found, at the first time', async () => {
        const key = {
          key_id: randomUUID(),
          key_hash: randomUUID(),
          ending: 'abcd',
          organization_id: randomUUID(),
          team_id: randomUUID(),
          user_id: randomUUID(),
          scopes: ['datasets:read' as const],
          created_at: timestamp(NOW),
          revoked_at: null,
        };
        await store.access.createKey(key);
        expect(await store.access.findKey(key.key_hash)).toEqual(key);
        expect(await store.access.listKeys(key.team_id)).toEqual([key]);

        expect(await store.access.revokeKey(randomUUID(), key.key_id, NOW)).toBe(false);
        expect(await store.access.revokeKey(key.team_id, key.key_id, NOW)).toBe(true);
        expect(await store.access.revokeKey(key.team_id, key.key_id, NOW + 1000)).toBe(true);

        const revoked = { ...key, revoked_at: timestamp(NOW) };
        expect(await store.access.findKey(key.key_hash)).toEqual(revoked);
        expect(await store.access.listKeys(key.team_id)).toEqual([revoked]);
        expect(await store.access.findKey(randomUUID())).toBeNull();
      });

      test('a plan is replaced by its name and assigned to teams', async () => {
        const created = team(`team ${randomUUID()}`);
        await store.access.createTeam(created);
        const plan = { ...DEFAULT_PLAN, name: `plan ${randomUUID()}` };
        await store.access.savePlan(plan);
        await store.access.savePlan({ ...plan, runs_at_once: 9 });

        expect(await store.access.findPlan(plan.name)).toEqual({ ...plan, runs_at_once: 9 });
        expect(await store.access.listPlans()).toContainEqual({ ...plan, runs_at_once: 9 });
        expect(await store.access.findPlan('no such plan')).toBeNull();
        expect(await store.access.assignPlan(created.team_id, plan.name)).toBe(true);
        expect(await store.access.findTeam(created.team_id)).toMatchObject({ plan: plan.name });
        expect(await store.access.assignPlan(randomUUID(), plan.name)).toBe(false);
      });
    });

    describe('tokens a minute', () => {
      const planned = (limit: number): Caller =>
        makeCaller({ plan: { ...DEFAULT_PLAN, response_tokens_per_minute: limit } });

      test('are counted one by one, up to the limit, however many come at once', async () => {
        const caller = planned(100);
        const outcomes = await Promise.all(
          Array.from({ length: 12 }, () =>
            store.tokenLimiter.admit(caller, 10, NOW).catch(({ code }: { code: string }) => code),
          ),
        );

        expect(outcomes.filter((outcome) => outcome === 10)).toHaveLength(10);
        expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(2);
        expect(await store.tokenLimiter.admit(caller, 100, NOW + 60_000)).toBe(100);
        expect(await store.tokenLimiter.admit(planned(100), 100, NOW)).toBe(100);
      });

      test('of more than a minute has are all of them, which only an unused minute gives', async () => {
        const caller = planned(100);

        expect(await store.tokenLimiter.admit(caller, 250, NOW)).toBe(100);
        await expect(store.tokenLimiter.admit(caller, 250, NOW + 59_999)).rejects.toMatchObject({
          code: 'rate_limited',
          retryAfterSeconds: 1,
        });
        expect(await store.tokenLimiter.admit(caller, 1, NOW + 60_000)).toBe(1);
        await expect(store.tokenLimiter.admit(caller, 250, NOW + 60_000)).rejects.toMatchObject({
          code: 'rate_limited',
          retryAfterSeconds: 60,
        });
      });

      test('are corrected in both directions, beyond the limit too', async () => {
        const caller = planned(100);
        await store.tokenLimiter.admit(caller, 80, NOW);
        await store.tokenLimiter.add(caller.team_id, -50, NOW);
        expect(await store.tokenLimiter.admit(caller, 70, NOW)).toBe(70);
        await store.tokenLimiter.add(caller.team_id, 500, NOW + 60_000);

        const refused = { code: 'rate_limited' };
        await expect(store.tokenLimiter.admit(caller, 1, NOW)).rejects.toMatchObject(refused);
        await expect(store.tokenLimiter.admit(caller, 1, NOW + 60_000)).rejects.toMatchObject(refused);
      });
    });

    describe('rate limits', () => {
      test('admit as many requests a second as the plan says, also when they come at once', async () => {
        const caller = makeCaller({ plan: { ...DEFAULT_PLAN, requests_per_second: 3 } });
        const admit = (now: number) =>
          store.rateLimiter.admit(caller, now).then(
            () => 'admitted',
            (error: { code: string }) => error.code,
          );

        const outcomes = await Promise.all([0, 100, 200, 300, 999].map((after) => admit(NOW + after)));

        expect(outcomes.filter((outcome) => outcome === 'admitted')).toHaveLength(3);
        expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(2);
        expect(await admit(NOW + 1000)).toBe('admitted');
        await expect(
          (async () => {
            for (let request = 0; request < 4; request += 1)
              await store.rateLimiter.admit(caller, NOW + 1000);
          })(),
        ).rejects.toMatchObject({
          retryAfterSeconds: 1,
          message: expect.stringContaining('requests_per_second'),
        });
        await store.rateLimiter.admit({ ...caller, team_id: randomUUID() }, NOW);
      });

      test('admit as many free uses of models an hour as the plan says, each kind apart', async () => {
        const plan = { ...DEFAULT_PLAN, custom_evals_per_hour: 3, topic_inferences_per_hour: 1 };
        const caller = makeCaller({ plan });
        const start = Math.floor(NOW / 3_600_000) * 3_600_000;
        const admit = (use: FreeUse, now: number) =>
          store.freeUses.admit(caller, use, now).then(
            () => 'admitted',
            (error: { code: string }) => error.code,
          );

        const outcomes = await Promise.all(
          [0, 1, 2, 3, 3_599_999].map((after) => admit('custom_evals_per_hour', start + after)),
        );

        expect(outcomes.filter((outcome) => outcome === 'admitted')).toHaveLength(3);
        await expect(
          store.freeUses.admit(caller, 'custom_evals_per_hour', start + 1_800_000),
        ).rejects.toMatchObject({
          code: 'rate_limited',
          retryAfterSeconds: 1800,
          message: expect.stringContaining('custom_evals_per_hour'),
        });
        expect(await admit('topic_inferences_per_hour', start)).toBe('admitted');
        expect(await admit('topic_inferences_per_hour', start)).toBe('rate_limited');
        expect(await admit('custom_evals_per_hour', start + 3_600_000)).toBe('admitted');
        await store.freeUses.admit({ ...caller, team_id: randomUUID() }, 'topic_inferences_per_hour', start);
      });
    });

    describe('evals that are to be erased', () => {
      test('are counted, and listed by their team once that is due, those that have waited longest first', async () => {
        const [one, other] = [randomUUID(), randomUUID()].sort() as [string, string];
        const at = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();
        const make = async (team_id: string): Promise<string> => {
          const eval_id = randomUUID();
          const of = { name: 'Eval', metadata: null, testing_criteria: [] };
          const times = { created_at: at(0), updated_at: at(0) };
          const config = { data_source_config: { type: 'logs' as const } };
          await store.evals.create({ ...of, ...times, ...config, eval_id, team_id });
          return eval_id;
        };
        const [late, early, kept, foreign] = [
          await make(one),
          await make(one),
          await make(one),
          await make(other),
        ];
        for (const [team, id, minutes] of [
          [one, late, 2],
          [one, early, 1],
          [other, foreign, 1],
        ] as const) {
          expect(await store.evals.markRemoved(team, id, at(minutes))).toBe(true);
          expect(await store.evals.markRemoved(team, id, at(minutes))).toBe(false);
        }

        const known = (await store.evals.teamsWithRemoved()).filter((team) => [one, other].includes(team));
        expect(known).toEqual([one, other]);
        expect(await store.evals.listRemoved(one, at(3), 10)).toEqual([early, late]);
        expect(await store.evals.listRemoved(one, at(3), 1)).toEqual([early]);
        expect(await store.evals.listRemoved(one, at(1.5), 10)).toEqual([early]);
        expect((await store.evals.list(one)).map(({ eval_id }) => eval_id)).toEqual([kept]);
        expect(await store.evals.count(one)).toBe(3);

        await store.evals.deferRemoval(one, early, at(9));
        await store.evals.deferRemoval(one, kept, at(9));
        expect(await store.evals.listRemoved(one, at(3), 10)).toEqual([late]);
        await store.evals.remove(one, late);
        await store.evals.remove(other, foreign);
        expect(await store.evals.teamsWithRemoved()).not.toContain(other);
        expect(await store.evals.listRemoved(one, at(9), 10)).toEqual([early]);
        expect(await store.evals.count(one)).toBe(2);
      });
    });
  });
}

const byId = (a: DatasetRecord, b: DatasetRecord): number => (a.dataset_id < b.dataset_id ? -1 : 1);
