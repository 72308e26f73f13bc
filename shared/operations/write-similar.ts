import { seededRandom } from '../domain/evaluation/sample-rows.ts';
import { AskFailure, askModel, newCallMeter, UnusableAnswer } from '../domain/model/ask-model.ts';
import type { Clock } from '../domain/model/clock.ts';
import type { Generation, ModelClient } from '../domain/model/port.ts';
import { readJsonObject } from '../domain/model/read-json.ts';
import { AugmentRunRequest, ExampleRow } from '../domain/pool/augment-request.ts';
import { writeSimilar as promptOf } from '../domain/pool/prompts/write-similar.v1.ts';
import type { RunRepository } from '../domain/runs/repository.ts';
import type { WorkerWatch } from '../domain/runs/worker-watch.ts';
import { objectKeys } from '../domain/storage/object-keys.ts';
import type { ObjectStore } from '../domain/storage/object-store.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { ErrorData } from '../schema/common.ts';
import type { SimilarPlan } from '../schema/run-context.ts';
import { GrowResult } from '../schema/run-result.ts';
import { readJson, readLines } from './json-objects.ts';
import { ASKING, newLimit } from './judging.ts';
import { askingOf, runRowsOnModel } from './run-rows-on-model.ts';
import { superviseStretch } from './supervise-stretch.ts';

export interface WriteSimilarPorts {
  readonly objects: ObjectStore;
  readonly runs: Pick<RunRepository, 'find' | 'recordChunkProgress' | 'readEffort' | 'requestStop'>;
  readonly model: ModelClient | null;
  readonly callsPerWorker: number;
  readonly outageSecondsMax: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly watch?: WorkerWatch;
}

/** Rows of the source that each new one is shown. */
const EXAMPLES_SHOWN = 3;

/** Has a model write rows in the style of the source: one result for each, whatever becomes of it. */
export async function writeSimilar(
  ports: WriteSimilarPorts,
  plan: SimilarPlan,
  invocation: { readonly deadlineMs: number; readonly attempt: string },
): Promise<{ status: 'finished' | 'unfinished' | 'stopped' }> {
  const stop = async (reason: ErrorData): Promise<{ status: 'stopped' }> => {
    await ports.runs.requestStop(plan.dataset_id, plan.run_id, reason);
    return { status: 'stopped' };
  };
  try {
    const { status, reason } = await workOn(ports, plan, invocation);
    return status === 'stopped' && reason !== null ? await stop(reason) : { status };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'service_unavailable') throw error;
    return stop({ code: error.code, message: error.message, level: 'error' });
  }
}

async function workOn(
  ports: WriteSimilarPorts,
  plan: SimilarPlan,
  invocation: { readonly deadlineMs: number; readonly attempt: string },
): Promise<{ status: 'finished' | 'unfinished' | 'stopped'; reason: ErrorData | null }> {
  const { objects, clock, random, watch, model } = ports;
  const { run_id: runId, n } = plan;
  if (model === null) {
    throw new ServiceError('model_unavailable', 'The installation has no model for this: configure one.');
  }
  const request = await readJson(objects, objectKeys.runRequest(runId), AugmentRunRequest);
  const lines = await readLines(objects, objectKeys.examples(runId));
  const examples = lines.map((line) => ExampleRow.parse(JSON.parse(line)));
  const withPair = request.training_type === 'preference_pairs';
  const { reason, ...supervision } = superviseStretch(ports, plan, request.budget, 0);
  const chunk = {
    // The rows are yet to be written: a row is its number.
    lines: Array.from({ length: plan.row_count }, (_, place) => String(plan.first_row + place)),
    firstRow: plan.first_row,
    objects,
    resultKey: objectKeys.result(runId, n),
    checkpointPrefix: objectKeys.checkpoints(runId, n),
    attempt: invocation.attempt,
    clock,
    deadlineMs: invocation.deadlineMs,
    limit: newLimit(clock, random, ports.callsPerWorker, watch?.circuitOpened),
    onRowDone: watch?.rowDone,
    asking: { ...ASKING, outageSecondsMax: ports.outageSecondsMax, random },
    ...supervision,
  };

  async function writeRow(_line: string, row: number, signal: AbortSignal): Promise<GrowResult> {
    const meter = newCallMeter();
    const end = (what: Pick<GrowResult, 'outcome' | 'reason' | 'cells'>): GrowResult => ({
      row,
      ...what,
      tokens: { input: meter.input_tokens, output: meter.output_tokens },
      calls: meter.calls,
      seconds: Math.round(meter.seconds * 1000) / 1000,
    });
    const asked = promptOf(drawExamples(examples, `${runId} ${row}`), withPair, row + 1);
    const read = (generation: Generation): Record<string, string> => readRow(generation, withPair);
    try {
      const cells = await askModel(model as ModelClient, asked, read, askingOf(chunk, signal), meter);
      return end({ outcome: 'made', cells });
    } catch (error) {
      if (!(error instanceof AskFailure)) throw error;
      return end({ outcome: 'failed', reason: { code: error.code, message: error.message } });
    }
  }

  const { status } = await runRowsOnModel({
    ...chunk,
    process: writeRow,
    parse: (value) => GrowResult.parse(value),
    // Rows that could not be written are not charged: they do not end a run.
    effortOf: ({ tokens }) => ({ tokens: tokens.input + tokens.output, isFailed: false }),
  });
  return { status, reason: reason() };
}

/** A few different examples, the same for the same seed. */
function drawExamples(examples: readonly ExampleRow[], seed: string): ExampleRow[] {
  const random = seededRandom(seed);
  const left = [...examples];
  return Array.from({ length: Math.min(EXAMPLES_SHOWN, examples.length) }, () =>
    left.splice(Math.floor(random() * left.length), 1),
  ).flat();
}

/** The cells of a `PoolRow`. */
function readRow({ text }: Generation, withPair: boolean): Record<string, string> {
  const answer = readJsonObject(text);
  const textOf = (key: string): string => {
    const value = answer?.[key];
    if (typeof value !== 'string' || value.trim() === '') {
      throw new UnusableAnswer(`The model wrote a row without a ${key}`);
    }
    return value.trim();
  };
  const row = { prompt: textOf('prompt'), completion: textOf('completion') };
  if (!withPair) return row;
  const rejected = textOf('rejected');
  if (rejected === row.completion) throw new UnusableAnswer('The model wrote one answer twice');
  return { ...row, rejected };
}
