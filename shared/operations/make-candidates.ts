import { createArbiter } from '../domain/adaptation/arbiter.ts';
import { DEFAULT_LENGTH } from '../domain/adaptation/length.ts';
import { loadLanguageDetector } from '../domain/evaluation/detect-language.ts';
import { createScorer } from '../domain/evaluation/scorer.ts';
import { briefOf } from '../domain/invent/brief.ts';
import { InventRunRequest } from '../domain/invent/invent-request.ts';
import { type InventRowOptions, inventRow } from '../domain/invent/invent-row.ts';
import { AskFailure, newCallMeter } from '../domain/model/ask-model.ts';
import { objectKeys } from '../domain/storage/object-keys.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { ErrorData } from '../schema/common.ts';
import type { CandidatePlan } from '../schema/run-context.ts';
import { CandidateResult } from '../schema/run-result.ts';
import type { AdaptChunkPorts } from './adapt-chunk.ts';
import { readJson } from './json-objects.ts';
import { ASKING, findCalibration, newLimit, trustedJudge } from './judging.ts';
import { askingOf, runRowsOnModel } from './run-rows-on-model.ts';
import { superviseStretch } from './supervise-stretch.ts';

export type MakeCandidatesPorts = Omit<AdaptChunkPorts, 'search' | 'contextTokensMax' | 'calibrations'> & {
  readonly calibrations: Pick<AdaptChunkPorts['calibrations'], 'findCalibration'>;
};

/** Writes and judges some candidates of an invented dataset: one result each, which is checkpointed. */
export async function makeCandidates(
  ports: MakeCandidatesPorts,
  plan: CandidatePlan,
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
  ports: MakeCandidatesPorts,
  plan: CandidatePlan,
  invocation: { readonly deadlineMs: number; readonly attempt: string },
): Promise<{ status: 'finished' | 'unfinished' | 'stopped'; reason: ErrorData | null }> {
  const { objects, clock, random, watch } = ports;
  const { run_id: runId, n } = plan;
  const request = await readJson(objects, objectKeys.runRequest(runId), InventRunRequest);
  const options = await inventorOf(ports, request);
  const { reason, ...supervision } = superviseStretch(ports, plan, request.budget, 0);
  const chunk = {
    // A candidate is made of its number alone.
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

  async function makeCandidate(_line: string, row: number, signal: AbortSignal): Promise<CandidateResult> {
    const brief = briefOf(runId, row, request.subdomains);
    const meter = newCallMeter();
    const end = (what: Pick<CandidateResult, 'outcome' | 'reason' | 'cells' | 'score'>): CandidateResult => ({
      row,
      subdomain: brief.subdomain,
      ...what,
      tokens: { input: meter.input_tokens, output: meter.output_tokens },
      calls: meter.calls,
      seconds: Math.round(meter.seconds * 1000) / 1000,
    });
    try {
      return end(await inventRow(options, brief, row, askingOf(chunk, signal), meter));
    } catch (error) {
      if (!(error instanceof AskFailure)) throw error;
      return end({ outcome: 'failed', reason: { code: error.code, message: error.message } });
    }
  }

  const { status } = await runRowsOnModel({
    ...chunk,
    process: makeCandidate,
    parse: (value) => CandidateResult.parse(value),
    // Candidates that failed are not charged, and others take their place: they do not end a run.
    effortOf: ({ tokens }) => ({ tokens: tokens.input + tokens.output, isFailed: false }),
  });
  return { status, reason: reason() };
}

/** @throws {ServiceError} `model_unavailable` where the installation lacks a model */
async function inventorOf(
  { models, calibrations }: MakeCandidatesPorts,
  request: InventRunRequest,
): Promise<InventRowOptions> {
  const { rewrite, answer, judge, embedder } = models;
  if (rewrite === null || answer === null) {
    throw new ServiceError('model_unavailable', 'The installation has no model for writing: configure one.');
  }
  const detectLanguage = await loadLanguageDetector();
  const calibration = await findCalibration(judge?.modelId ?? null, calibrations);
  return {
    request,
    rewriteModel: rewrite,
    answerModel: answer,
    scorer: createScorer({ judge, calibration, embedder, detectLanguage, length: DEFAULT_LENGTH }),
    arbiter: createArbiter({ judge: trustedJudge(judge, calibration), embedder, detectLanguage }),
    detectLanguage,
  };
}
