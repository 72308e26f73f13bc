import { createRowExpander } from '../domain/adaptation/expand-rows.ts';
import { type ProducedCells, readCells } from '../domain/adaptation/row-program.ts';
import { loadLanguageDetector } from '../domain/evaluation/detect-language.ts';
import { EXTENDED_PROMPT, ExpandRunRequest } from '../domain/growth/expand-request.ts';
import { columnsOfConversation, extendRow, readConversation } from '../domain/growth/extend-conversation.ts';
import { AskFailure, type Asking, type CallMeter, newCallMeter } from '../domain/model/ask-model.ts';
import type { Clock } from '../domain/model/clock.ts';
import type { ModelClient } from '../domain/model/port.ts';
import type { RunRepository } from '../domain/runs/repository.ts';
import type { WorkerWatch } from '../domain/runs/worker-watch.ts';
import { objectKeys } from '../domain/storage/object-keys.ts';
import type { ObjectStore } from '../domain/storage/object-store.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { ErrorData } from '../schema/common.ts';
import { ExpansionSelection } from '../schema/expansion.ts';
import type { GrowPlan } from '../schema/run-context.ts';
import { GrowResult } from '../schema/run-result.ts';
import { readJson, readLines } from './json-objects.ts';
import { ASKING, newLimit } from './judging.ts';
import { askingOf, runRowsOnModel } from './run-rows-on-model.ts';
import { superviseStretch } from './supervise-stretch.ts';

export interface MakeRowsPorts {
  readonly objects: ObjectStore;
  readonly runs: Pick<RunRepository, 'find' | 'recordChunkProgress' | 'readEffort' | 'requestStop'>;
  /** `translate` is null where the installation leaves translations to the model that rewrites. */
  readonly models: { readonly rewrite: ModelClient | null; readonly translate: ModelClient | null };
  readonly callsPerWorker: number;
  readonly contextTokensMax: number;
  readonly outageSecondsMax: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly watch?: WorkerWatch;
}

/** Makes rows of those of one chunk of a source: one result a row, whatever becomes of it. Holds that chunk. */
export async function makeRows(
  ports: MakeRowsPorts,
  plan: GrowPlan,
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
  ports: MakeRowsPorts,
  plan: GrowPlan,
  invocation: { readonly deadlineMs: number; readonly attempt: string },
): Promise<{ status: 'finished' | 'unfinished' | 'stopped'; reason: ErrorData | null }> {
  const { objects, clock, random, watch } = ports;
  const { run_id: runId, n } = plan;
  const request = await readJson(objects, plan.request_key, ExpandRunRequest);
  const lines = await readLines(objects, plan.selection_key);
  const source = await readLines(objects, plan.chunk_key);
  const maker = await makerOf(ports, request);
  const { reason, ...supervision } = superviseStretch(ports, plan, request.budget, 0);
  const chunk = {
    lines,
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

  async function makeRow(line: string, row: number, signal: AbortSignal): Promise<GrowResult> {
    const selection = ExpansionSelection.parse(JSON.parse(line));
    const text = source[selection.row - plan.chunk_first_row];
    if (text === undefined)
      throw new Error(`Row ${selection.row} is not in the chunk that it was selected of.`);
    const meter = newCallMeter();
    const end = (what: Pick<GrowResult, 'outcome' | 'reason' | 'notes' | 'cells'>): GrowResult => ({
      row,
      ...what,
      tokens: { input: meter.input_tokens, output: meter.output_tokens },
      calls: meter.calls,
      seconds: Math.round(meter.seconds * 1000) / 1000,
    });
    try {
      return end(await maker(text, selection.target, askingOf(chunk, signal), meter));
    } catch (error) {
      if (!(error instanceof AskFailure)) throw error;
      return end({ outcome: 'failed', reason: { code: error.code, message: error.message } });
    }
  }

  const { status } = await runRowsOnModel({
    ...chunk,
    process: makeRow,
    parse: (value) => GrowResult.parse(value),
    // Rows that could not be made are not charged: they do not end a run.
    effortOf: ({ tokens }) => ({ tokens: tokens.input + tokens.output, isFailed: false }),
  });
  return { status, reason: reason() };
}

type Maker = (
  line: string,
  target: number,
  asking: Asking,
  meter: CallMeter,
) => Promise<Pick<GrowResult, 'outcome' | 'reason' | 'notes' | 'cells'>>;

/** @throws {ServiceError} `model_unavailable` where the installation lacks the model */
async function makerOf(
  { models, contextTokensMax }: MakeRowsPorts,
  request: ExpandRunRequest,
): Promise<Maker> {
  const model = request.kind === 'languages' ? (models.translate ?? models.rewrite) : models.rewrite;
  if (model === null) {
    throw new ServiceError('model_unavailable', 'The installation has no model for this: configure one.');
  }
  const detectLanguage = await loadLanguageDetector();
  if (request.kind === 'conversations') {
    const { conversation } = request;
    const columns = columnsOfConversation(conversation);
    return async (line, _target, asking, meter) => {
      const turns = readConversation(conversation, readCells(line, columns));
      if ('code' in turns) return { outcome: 'failed', reason: turns };
      const options = { model, detectLanguage, contextTokensMax };
      const message = await extendRow(options, turns, asking, meter);
      return { outcome: 'made', cells: { [EXTENDED_PROMPT.name]: message } };
    };
  }
  const { texts, expansion } = request;
  const expander = createRowExpander({
    columns: texts,
    holdsTurns: () => true,
    type: expansion.type,
    model,
    detectLanguage,
    contextTokensMax,
  });
  return async (line, index, asking, meter) => {
    const target = expansion.targets[index];
    if (target === undefined) throw new Error(`The run has no target ${index}.`);
    const cells: ProducedCells = Object.fromEntries(readCells(line, texts));
    const expanded = await expander.expand(cells, target, asking, meter);
    return { outcome: 'made', cells: expanded.cells, notes: [...expanded.notes] };
  };
}
