import { confidenceOf } from '#shared/judging/decide/corrected-win-rate.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { readJson, readLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { assembleArm } from './assemble-arm.ts';
import type { AssembledArm } from './decide/describe-arm.ts';
import { PilotRequestObject } from './decide/request-object.ts';
import { PilotJudge } from './decide/state.ts';

export interface PilotPorts {
  readonly objects: Pick<ObjectStore, 'head' | 'read' | 'write' | 'writeNew' | 'list'>;
}

/** Everything that the steps of a pilot read. */
export interface PilotWork {
  readonly context: RunContext;
  readonly request: PilotRequestObject;
  /** The rows of the sample, as lines. */
  readonly lines: readonly string[];
  readonly judge: PilotJudge;
  /** Of each interval, so that those of all arms hold together. */
  readonly confidence: number;
}

/** Reads what the steps of a pilot share, once its sample is drawn. */
export async function readPilotWork(
  { objects }: PilotPorts,
  { run_id, dataset_id, team_id }: RunContext,
): Promise<PilotWork> {
  const request = await readJson(objects, objectKeys.runRequest(run_id), PilotRequestObject);
  return {
    context: { run_id, dataset_id, team_id },
    request,
    lines: await readLines(objects, objectKeys.pilotSample(run_id)),
    judge: await readJson(objects, objectKeys.pilotJudge(run_id), PilotJudge),
    confidence: confidenceOf(request.arms.length),
  };
}

/** What every arm has delivered so far. */
export async function assembleArms(
  { objects }: PilotPorts,
  { context, request, lines, judge }: PilotWork,
): Promise<AssembledArm[]> {
  const ports = { objects, detectLanguage: await loadLanguageDetector() };
  const arms: AssembledArm[] = [];
  for (const [index, planned] of request.arms.entries()) {
    const asked = { arm: index + 1, planned, judge: judge.errors };
    arms.push(await assembleArm(ports, context.run_id, lines, asked));
  }
  return arms;
}
