import type { AdaptBatchPorts } from '#shared/adaptation/adapt-batch.ts';
import { DEFAULT_LENGTH } from '#shared/answers/decide/length.ts';
import { createArbiter } from '#shared/judging/decide/arbiter.ts';
import { createScorer } from '#shared/judging/decide/scorer.ts';
import { findCalibration } from '#shared/judging/find-judge.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { rowsToMake } from '#shared/runs/rows-to-make.ts';
import { type Invocation, type RunRows, runWorker, type WorkStatus } from '#shared/runs/run-worker.ts';
import type { CandidatePlan } from '#shared/runs/schema/run-context.ts';
import { CandidateResult } from '#shared/runs/schema/run-result.ts';
import { briefOf } from './decide/invent/brief.ts';
import { InventRunRequest } from './decide/invent/invent-request.ts';
import { type InventRowOptions, inventRow } from './decide/invent/invent-row.ts';

export type MakeCandidatesPorts = Omit<
  AdaptBatchPorts,
  'search' | 'contextTokensMax' | 'calibrations' | 'fetchImage'
> & {
  readonly calibrations: Pick<AdaptBatchPorts['calibrations'], 'findCalibration'>;
};

/** Generates and judges some candidates of an invented dataset: one checkpointed result each. */
export const makeCandidates = (
  ports: MakeCandidatesPorts,
  plan: CandidatePlan,
  invocation: Invocation,
): Promise<{ status: WorkStatus }> => runWorker(ports, plan, invocation, (own) => openCandidates(ports, own));

async function openCandidates(
  ports: MakeCandidatesPorts,
  plan: CandidatePlan,
): Promise<RunRows<CandidateResult>> {
  const { run_id: runId } = plan;
  const request = await readJson(ports.objects, objectKeys.runRequest(runId), InventRunRequest);
  const options = await inventorOf(ports, request);
  const briefFor = (row: number) => briefOf(runId, row, request.subdomains);
  return rowsToMake({
    // A candidate depends on its number only. Failed ones are replaced by others.
    lines: Array.from({ length: plan.row_count }, (_, place) => String(plan.first_row + place)),
    budget: request.budget,
    known: (_line, row) => ({ subdomain: briefFor(row).subdomain }),
    make: (_line, row, asking, meter) => inventRow(options, briefFor(row), row, asking, meter),
    parse: (value) => CandidateResult.parse(value),
  });
}

/** @throws {ServiceError} `model_unavailable` if the installation lacks a model */
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
    arbiter: createArbiter({ judge, calibration, detectLanguage }),
    detectLanguage,
  };
}
