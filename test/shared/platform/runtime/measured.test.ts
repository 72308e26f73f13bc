import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { metrics } from '#shared/platform/contracts/metrics.ts';
import { CallerGone } from '#shared/platform/errors/caller-gone.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { writeMetrics } from '#shared/platform/runtime/metrics.ts';
import { MODEL_ROLES } from '#shared/platform/schema/model-role.ts';
import { AnswerFailed } from '#shared/responses/decide/answer-failed.ts';
import { ANSWER_OUTCOMES, reportAnswer } from '#shared/responses/measure-answers.ts';
import { RunPipeline } from '#shared/runs/decide/run-kinds.ts';
import { measureLedger } from '#shared/runs/measure-ledger.ts';
import { emitMetrics } from '#test/helpers/emit-metrics.ts';
import { createMemoryStore } from '#test/helpers/memory-store.ts';
import { makeRun, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { wiringFiles } from '#test/helpers/source/layer-files.ts';
import { endingOf, launchOf } from '#test/helpers/store-contract.ts';
import { collectMetrics, type WrittenMetric } from '#test/helpers/written-metrics.ts';

beforeEach(() => {
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(logger, level).mockImplementation(() => {});
  }
});

afterEach(() => {
  writeMetrics();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const sumOf = (written: readonly WrittenMetric[], name: string, of: Record<string, string> = {}): number =>
  written
    .filter((metric) => metric.name === name && metric.dimensions.length === Object.keys(of).length + 1)
    .filter((metric) => Object.entries(of).every(([dimension, value]) => metric.of[dimension] === value))
    .flatMap(({ values }) => values)
    .reduce((sum, value) => sum + value, 0);

test('every metric that is declared is written, with each of its sets of dimensions, and no other is', async () => {
  const written = new Set((await emitMetrics()).map(({ name, dimensions }) => `${name} ${dimensions}`));

  const declared = Object.entries(metrics).flatMap(([name, { dimensions }]) =>
    dimensions.map((set) => `${name} ${['service', ...set].sort()}`),
  );
  expect([...written].sort()).toEqual(declared.sort());
});

test('answers are counted by their end: what the request or a limit refuses, and callers who leave, are no failures', async () => {
  const written = await emitMetrics();
  const counted = (outcome: string) => sumOf(written, 'AnswersEnded', { outcome });

  expect(ANSWER_OUTCOMES.map((outcome) => [outcome, counted(outcome)])).toEqual([
    ['completed', 1],
    ['incomplete', 1],
    ['refused', 3],
    ['failed', 2],
    ['abandoned', 3],
  ]);
  expect(sumOf(written, 'AnswersUnbilled')).toBe(2);
});

test('answers that fail are errors of the log only where the operator can mend something', () => {
  reportAnswer(new CallerGone());
  reportAnswer(new ServiceError('model_busy', 'Busy.'));
  reportAnswer(new AnswerFailed('ungrounded', 'Nothing found.'));
  expect(logger.error).not.toHaveBeenCalled();
  expect(vi.mocked(logger.info).mock.calls).toEqual([
    ['caller gone'],
    ['answer refused', { code: 'model_busy' }],
    ['answer refused', { code: 'ungrounded' }],
  ]);

  reportAnswer(new ServiceError('service_unavailable', 'Too late.'));
  reportAnswer(new Error('Nobody expected this.'));
  expect(logger.error).toHaveBeenCalledTimes(2);
});

test('runs are counted by pipeline and ending, and a caller’s bad file is not the service’s failure', async () => {
  const written = await emitMetrics();

  for (const pipeline of RunPipeline.options) {
    expect(sumOf(written, 'RunsStarted', { pipeline })).toBe(3);
    expect(sumOf(written, 'RunsSucceeded', { pipeline })).toBe(1);
    expect(sumOf(written, 'RunsFailed', { pipeline, cause: 'caller' })).toBe(1);
    expect(sumOf(written, 'RunsFailed', { pipeline, cause: 'service' })).toBe(1);
  }
  expect(sumOf(written, 'Rows', { outcome: 'changed' })).toBe(3 * 100 * RunPipeline.options.length);
  expect(sumOf(written, 'Rows', { outcome: 'total' })).toBe(0);
});

test('runs are counted once, however often they are launched and ended, and their credits add up', async () => {
  const written = collectMetrics();
  const store = createMemoryStore();
  const ledger = measureLedger(store.ledger);
  const caller = await seedTeam(store, 100);
  const run = makeRun(await seedDataset(store, caller), { reserved_credits: 9 });
  await ledger.launch(launchOf(run));
  const ending = endingOf(run, { billedCredits: 4 });
  await ledger.end(ending);
  await ledger.end({ ...ending, status: 'failed', endedAt: '2026-03-01T13:00:00.000Z' });
  writeMetrics();

  expect(sumOf(written(), 'RunsStarted', { pipeline: 'adapt' })).toBe(1);
  expect(sumOf(written(), 'RunsSucceeded', { pipeline: 'adapt' })).toBe(1);
  expect(written().filter(({ name }) => name === 'RunsFailed')).toEqual([]);
  expect(sumOf(written(), 'CreditsReserved')).toBe(9);
  expect(sumOf(written(), 'CreditsSettled')).toBe(4);
  expect(sumOf(written(), 'CreditsReturned')).toBe(5);
  const lines = vi.mocked(logger.info).mock.calls;
  expect(lines.map(([message]) => message)).toEqual(['run started', 'run ended']);
  for (const [, fields] of lines) expect(fields).toMatchObject({ run_id: run.run_id });
});

test('runs reach the ledger of functions through what measures it alone', () => {
  const direct = [...wiringFiles()].filter(([, text]) => text.includes('createLedger('));

  expect(direct.map(([path]) => path)).toEqual(['shared/runs/wire.ts']);
});

test('calls to a model are counted by role, tokens and what came of them', async () => {
  const written = await emitMetrics();

  expect(sumOf(written, 'ModelCalls', { role: 'judge' })).toBe(6);
  expect(sumOf(written, 'ModelInputTokens', { role: 'judge' })).toBe(5);
  expect(sumOf(written, 'ModelOutputTokens', { role: 'judge' })).toBe(2);
  expect(sumOf(written, 'ModelThrottles', { role: 'judge' })).toBe(2);
  expect(sumOf(written, 'ModelErrors', { kind: 'timeout' })).toBe(MODEL_ROLES.length);
  expect(sumOf(written, 'ModelErrors', { kind: 'throttled' })).toBe(0);
  expect(sumOf(written, 'ModelThrottles')).toBe(2 * MODEL_ROLES.length);
});
