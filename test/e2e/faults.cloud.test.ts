import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ListStateMachinesCommand, SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stateMachineName } from '#infra/names.ts';
import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { createTable } from '#shared/platform/store/table.ts';
import { createLedger } from '#shared/runs/store/ledger.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { until, watchCloudRuns } from '#test/helpers/cloud-runs.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import type { Fault } from '#test/helpers/scripted-model.ts';
import { requireSoundEnd, requireSoundLedger, uploadRows } from '#test/helpers/sound-end.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const model = controlScriptedModel(cloud.modelUrl);
const aws = { endpoint: cloud.endpoint, region: 'us-east-1' };
const runs = watchCloudRuns(cloud);
const stepFunctions = new SFNClient(aws);
const TEAM = 'faults';
const MAPPING = { column_mapping: { prompt: 'question', completion: 'answer' } };
let api: ApiClient;

beforeAll(async () => {
  await admin.run('plan', 'set', 'faults', '--requests-per-second', '1000', '--runs-at-once', '100');
  api = createApiClient(cloud.apiUrl, await admin.createKey(TEAM, '--plan', 'faults', '--credits', '1000'));
});
afterAll(async () => {
  await model.setScript({ judge: 'fair' });
  runs.close();
  stepFunctions.destroy();
});

describe('a model that misbehaves', () => {
  const ROWS = 12;
  const nowAndThen: [string, Omit<Fault, 'contains'>][] = [
    ['429 that say when to come back', { kind: 'status', status: 429, retryAfter: '1', every: 6 }],
    ['429 that do not say it', { kind: 'status', status: 429, every: 3 }],
    ['500', { kind: 'status', status: 500, every: 7 }],
    ['garbage', { kind: 'garbage', every: 7 }],
    ['an HTML page', { kind: 'html', every: 7 }],
    ['an empty string', { kind: 'empty', every: 7 }],
    ['no choices', { kind: 'no_choices', every: 7 }],
    ['half an answer', { kind: 'half', every: 7 }],
    ['a closed connection', { kind: 'reset', every: 7 }],
    ['nothing at all', { kind: 'never', every: 25 }],
  ];
  const markers = nowAndThen.map((_, n) => `sometimes${n}x`);

  test('a model that misbehaves leaves no run undone and no row unaccounted for when it answers now and then with … (each in a run)', async () => {
    await model.setScript({
      judge: 'fair',
      faults: nowAndThen.map(([, fault], n) => ({ ...fault, contains: markers[n] ?? '' })),
    });
    const ended = await Promise.all(
      markers.map(async (marker) => {
        const datasetId = await uploadRows(api, marker, ROWS);
        await api.adapt(datasetId, MAPPING);
        return requireSoundEnd(api, datasetId, ROWS);
      }),
    );
    for (const [n, { status, counts }] of ended.entries()) {
      const said = `${nowAndThen[n]?.[0]}: ${JSON.stringify({ status, counts })}`;
      expect(status.status, said).toBe('succeeded');
      expect(counts.changed + counts.kept, said).toBeGreaterThan(ROWS / 2);
    }
    const { faults } = await model.stats();
    for (const [what, { kind }] of nowAndThen) expect(faults[kind] ?? 0, what).toBeGreaterThan(0);
    await requireSoundLedger(admin, TEAM);
    // Ten runs at once, whose pauses are real ones.
  }, 900_000);

  const always: [string, Omit<Fault, 'contains'>, string][] = [
    ['garbage', { kind: 'garbage' }, 'too_many_rows_failed'],
    ['an empty string', { kind: 'empty' }, 'too_many_rows_failed'],
    ['401', { kind: 'status', status: 401 }, 'model_unavailable'],
  ];

  test('a model that misbehaves ends the run with the reason, unbilled, when every answer is …', async () => {
    const marker = (n: number) => `always${n}x`;
    await model.setScript({
      judge: 'fair',
      faults: always.map(([, fault], n) => ({ ...fault, contains: marker(n) })),
    });
    await Promise.all(
      always.map(async ([what, , code], n) => {
        const datasetId = await uploadRows(api, marker(n), 6);
        await api.adapt(datasetId, MAPPING);
        const { status, counts, report } = await requireSoundEnd(api, datasetId, 6);
        expect(status, what).toMatchObject({ status: 'failed', error_data: { code, level: 'error' } });
        expect(counts, what).toMatchObject({ changed: 0, kept: 0, failed: 6 });
        expect(report.credits.settled, what).toBe(0);
      }),
    );
    await requireSoundLedger(admin, TEAM);
  });

  test('a model that misbehaves leaves the rows that were done before it failed, and only these are billed', async () => {
    await model.setScript({
      judge: 'fair',
      faults: [{ kind: 'status', status: 401, contains: 'denied-late' }],
    });
    const datasetId = await uploadRows(api, 'denied', 150, 80);
    expect((await api.adapt(datasetId, MAPPING)).estimatedCreditsConsumed).toBe(2);
    const { status, counts, report } = await requireSoundEnd(api, datasetId, 150);
    expect(status).toMatchObject({ status: 'failed', error_data: { code: 'model_unavailable' } });
    expect(counts.changed).toBeGreaterThan(0);
    expect(counts.changed).toBeLessThanOrEqual(80);
    expect(counts.failed).toBe(150 - counts.changed - counts.kept);
    expect(report.credits).toEqual({ reserved: 2, settled: 1 });
    await requireSoundLedger(admin, TEAM);
  });
});

describe('a run that is interrupted', () => {
  /** Long enough to be met in the middle. */
  const SLOW = { judge: 'fair', latencyMilliseconds: 100 } as const;

  test('a run that is interrupted goes on from its checkpoints when its worker is killed: no row is lost, doubled or asked again', async () => {
    await model.setScript(SLOW);
    const datasetId = await uploadRows(api, 'killed', 300);
    const { run_id: runId } = await api.adapt(datasetId, MAPPING);
    if (runId === null) throw new Error('The run has no id.');
    await runs.untilCheckpointed(runId, 100);

    const workers = await runs.processesOf('tasks/adapt/adapt-chunk');
    expect(workers.length).toBeGreaterThan(0);
    for (const worker of workers) process.kill(worker, 'SIGKILL');
    const done = await runs.checkpointedRows(runId);
    const askedBefore = (await model.stats()).byRow;
    expect(done.length).toBeLessThan(300);
    const askedAfter = await until('the result', async () =>
      (await runs.keysUnder(objectKeys.result(runId, 0))).length === 0 ? null : (await model.stats()).byRow,
    );
    for (const row of done) expect(askedAfter[row], `row ${row}`).toBe(askedBefore[row]);

    await model.setScript({ judge: 'fair' });
    const { status, counts, report } = await requireSoundEnd(api, datasetId, 300);
    expect(status.status).toBe('succeeded');
    expect(counts.failed).toBe(0);
    expect(report.credits).toEqual({ reserved: 3, settled: 3 });
    await requireSoundLedger(admin, TEAM);
  });

  test('a run that is interrupted is settled with what it had done when its execution is stopped', async () => {
    await model.setScript(SLOW);
    const datasetId = await uploadRows(api, 'stopped', 300);
    const { run_id: runId } = await api.adapt(datasetId, MAPPING);
    if (runId === null) throw new Error('The run has no id.');
    await runs.untilCheckpointed(runId, 50);

    const { stateMachines = [] } = await stepFunctions.send(new ListStateMachinesCommand({}));
    const machine = stateMachines.find(({ name }) => name === stateMachineName('local', 'adapt'));
    const executionArn = `${machine?.stateMachineArn?.replace(':stateMachine:', ':execution:')}:${runId}`;
    await stepFunctions.send(new StopExecutionCommand({ executionArn }));

    const { status, counts, report } = await requireSoundEnd(api, datasetId, 300);
    expect(status).toMatchObject({ status: 'failed', error_data: { code: 'run_interrupted' } });
    expect(status.error_data?.message).toContain('stopped');
    expect(counts.changed + counts.kept).toBeGreaterThanOrEqual(50);
    expect(counts.changed + counts.kept).toBeLessThan(300);
    expect(report.credits.settled).toBeLessThan(3);
    await requireSoundLedger(admin, TEAM);
  });

  test('a run that is interrupted ends within seconds when an operator cancels it, with what it had done', async () => {
    await model.setScript(SLOW);
    const datasetId = await uploadRows(api, 'cancelled', 300);
    const { run_id: runId } = await api.adapt(datasetId, MAPPING);
    if (runId === null) throw new Error('The run has no id.');
    await runs.untilCheckpointed(runId, 50);

    const [said = '{}'] = await admin.run('run', 'cancel', runId);

    expect(JSON.parse(said)).toEqual({ status: 'failed' });
    const { requests } = await model.stats();
    const { status, counts, report } = await requireSoundEnd(api, datasetId, 300);
    expect(status).toMatchObject({ status: 'failed', error_data: { code: 'run_cancelled' } });
    expect(counts.changed + counts.kept).toBeGreaterThanOrEqual(50);
    expect(counts.changed + counts.kept).toBeLessThan(300);
    expect(report.credits.settled).toBeLessThan(3);
    await sleep(2000);
    expect((await model.stats()).requests).toBe(requests);
    await requireSoundLedger(admin, TEAM);
  });

  test('a run that is interrupted ends when the tokens of its plan are used up, with what it had done', async () => {
    await model.setScript(SLOW);
    await admin.run('plan', 'set', 'thrifty', '--tokens-per-run', '30000');
    const team = 'thrifty';
    const key = await admin.createKey(team, '--plan', 'thrifty', '--credits', '10');
    const thrifty = createApiClient(cloud.apiUrl, key);
    const datasetId = await uploadRows(thrifty, 'budget', 300);
    await thrifty.adapt(datasetId, MAPPING);

    const { status, counts, report } = await requireSoundEnd(thrifty, datasetId, 300);

    expect(status).toMatchObject({ status: 'failed', error_data: { code: 'run_budget_exceeded' } });
    expect(status.error_data?.message).toContain('30000');
    expect(counts.changed).toBeGreaterThan(0);
    expect(counts.failed).toBeGreaterThan(0);
    const { input = 0, output = 0 } = report.tokens ?? {};
    expect(input + output).toBeGreaterThanOrEqual(30_000);
    // Beyond the budget come the sixteen rows that were in work.
    const tokensPerRow = (input + output) / counts.changed;
    expect(input + output).toBeLessThan(30_000 + 16 * tokensPerRow * 1.5);
    await requireSoundLedger(admin, team);
  });

  test('a run that is interrupted gets its credits back from the sweeper when its execution never started', async () => {
    await model.setScript({ judge: 'fair' });
    const datasetId = await uploadRows(api, 'missing', 2);
    const table = createTable(cloud.tableName);
    const record = await createDatasetRepository(table).find(datasetId);
    if (record === null) throw new Error('The dataset has no record.');
    const startedAt = new Date(Date.now() - 600_000).toISOString();
    await createLedger(table).launch({
      run: {
        run_id: randomUUID(),
        dataset_id: datasetId,
        team_id: record.team_id,
        organization_id: record.organization_id,
        user_id: record.created_by_user_id,
        pipeline: 'adapt',
        status: 'running',
        reserved_credits: 5,
        settled_credits: null,
        request_key: null,
        total_rows: 2,
        counts: null,
        models: {},
        prompt_versions: {},
        error_data: null,
        started_at: startedAt,
        ended_at: null,
      },
      changes: {},
      runsAtOnce: 100,
      idempotency: null,
    });
    expect((await api.get(datasetId)).status).toBe('running');
    expect(await admin.run('holds', 'list', '--team', TEAM)).toHaveLength(2);

    const [swept = '{}'] = await admin.run('sweep');
    expect(JSON.parse(swept)).toMatchObject({ handed_over: 1 });
    const status = await api.untilEnded(datasetId);
    expect(status).toMatchObject({ status: 'failed', error_data: { code: 'run_interrupted' } });
    await requireSoundLedger(admin, TEAM);

    await api.adapt(datasetId, MAPPING);
    expect((await api.untilEnded(datasetId)).status).toBe('succeeded');
  });
});

test('minutes are quoted within a factor of 1.5 once runs of a kind were measured', async () => {
  await model.setScript({ judge: 'fair', latencyMilliseconds: 300 });
  const body = { ...MAPPING, brand_controls: { blueprint: 'Be kind.', length: 'detailed' } };
  const seconds = async (datasetId: string): Promise<number> => {
    const started = Date.now();
    await api.adapt(datasetId, body);
    expect((await api.untilEnded(datasetId, 170)).status).toBe('succeeded');
    return (Date.now() - started) / 1000;
  };
  await seconds(await uploadRows(api, 'quoted-first', 60));
  const datasetId = await uploadRows(api, 'quoted-second', 240);

  const quote = await api.adapt(datasetId, { ...body, estimate: true });
  const taken = await seconds(datasetId);

  expect(quote.estimateBasis).toBe('measured over 1 run of this kind with scripted');
  expect((quote.estimatedMinutes * 60) / taken).toBeLessThan(1.5);
  expect((quote.estimatedMinutes * 60) / taken).toBeGreaterThan(1 / 1.5);
});
