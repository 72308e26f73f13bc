import { WorkedRow } from '#shared/adaptation/decide/reuse.ts';
import { describeRow, readingOf } from '#shared/judging/decide/describe-row.ts';
import { knownCheckRates } from '#shared/judging/decide/known-check-rates.ts';
import type { JudgeErrorRates } from '#shared/judging/decide/quality-estimate.ts';
import { verdictOf } from '#shared/judging/decide/row-verdict.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { readLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { isDelivered } from '#shared/runs/decide/outcomes.ts';
import { readResults } from '#shared/runs/read-results.ts';
import { RowScore, type SampledRow } from '#shared/runs/schema/row-score.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import type { AssembledArm } from './decide/describe-arm.ts';
import type { PlannedArm } from './decide/request-object.ts';
import { partsOf } from './decide/steps.ts';

export interface AssembleArmPorts {
  readonly objects: Pick<ObjectStore, 'read' | 'write' | 'writeNew' | 'list'>;
  readonly detectLanguage: LanguageDetector;
}

/** Reads what an arm has delivered, and what the judge said of it. */
export async function assembleArm(
  { objects, detectLanguage }: AssembleArmPorts,
  runId: string,
  lines: readonly string[],
  { arm, planned, judge }: { arm: number; planned: PlannedArm; judge: JudgeErrorRates | null },
): Promise<AssembledArm> {
  const results = new Map<number, RunResult>();
  const scores = new Map<number, RowScore>();
  for (const part of partsOf(arm, lines.length)) {
    // With their calls: of an interrupted worker this writes the results.
    const parse = (value: unknown): WorkedRow | null => WorkedRow.safeParse(value).data ?? null;
    for (const [row, result] of await readResults(objects, { run_id: runId, n: part.n }, parse)) {
      results.set(row, result);
    }
    for (const line of await readLines(objects, objectKeys.evaluationScores(runId, part.n))) {
      const score = RowScore.parse(JSON.parse(line));
      scores.set(score.dataset_row, score);
    }
  }
  const reading = readingOf(lines, planned.specification, detectLanguage);
  const described = new Map<number, SampledRow>();
  for (const [row, result] of results) {
    const line = lines[row];
    if (line === undefined || !isDelivered(result)) continue;
    const sampled = describeRow({ line, result }, reading);
    if (sampled !== null) described.set(row, sampled);
  }
  const verdicts = [...scores].flatMap(([row, { comparison }]) => {
    const checks = described.get(row)?.checks;
    return checks === undefined ? [] : [verdictOf({ row, checks, comparison }, knownCheckRates, judge)];
  });
  return { arm, results, described, scores, verdicts };
}
