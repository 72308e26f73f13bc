import { handler as publishModelHandler } from '#functions/api/autoscientist/publish.ts';
import { handler as runHandler } from '#functions/api/datasets/run.ts';
import { handler as settleEndedHandler } from '#functions/consumers/settle-ended-execution.ts';
import { handler as watchHandler } from '#functions/consumers/watch-trainers.ts';
import { handler as assembleRunHandler } from '#functions/tasks/adapt/assemble-run.ts';
import { handler as planRunHandler } from '#functions/tasks/adapt/plan-run.ts';
import { handler as settleRunHandler } from '#functions/tasks/adapt/settle-run.ts';
import { handler as augmentationHandler } from '#functions/tasks/augment/assemble-augmentation.ts';
import { handler as searchHandler } from '#functions/tasks/augment/search-pool.ts';
import { handler as eraseDatasetHandler } from '#functions/tasks/datasets/erase-dataset.ts';
import { handler as eraseVersionHandler } from '#functions/tasks/datasets/erase-version.ts';
import { handler as growthHandler } from '#functions/tasks/expand/assemble-rows.ts';
import { handler as sourceHandler } from '#functions/tasks/expand/take-source.ts';
import { handler as diffHandler } from '#functions/tasks/exports/build-diff.ts';
import { handler as exportHandler } from '#functions/tasks/exports/build-export.ts';
import { handler as indexHandler } from '#functions/tasks/exports/index-rows.ts';
import { handler as inventionHandler } from '#functions/tasks/invent/assemble-invention.ts';
import { handler as roundHandler } from '#functions/tasks/invent/plan-round.ts';
import { handler as advanceHandler } from '#functions/tasks/pilot/advance-pilot.ts';
import { handler as settlePilotHandler } from '#functions/tasks/pilot/settle-pilot.ts';
import { handler as publishHandler } from '#functions/tasks/publishing/publish.ts';
import { handler as applyVerdictsHandler } from '#functions/tasks/review/apply-verdicts.ts';
import { handler as finishReviewHandler } from '#functions/tasks/review/finish-review.ts';
import { handler as cancelHandler } from '#functions/tasks/runs/cancel-run.ts';
import { ADAPT_ROWS_PROMPTS } from '#shared/adaptation/decide/prompts/adapt-rows-prompts.ts';
import * as adaptation from '#shared/adaptation/launch-adaptation.ts';
import * as planning from '#shared/adaptation/plan-adaptation.ts';
import * as diffs from '#shared/exports/build-diff.ts';
import * as exporting from '#shared/exports/build-export.ts';
import * as indexing from '#shared/exports/index-rows.ts';
import * as augmentation from '#shared/growth/assemble-augmentation.ts';
import * as growth from '#shared/growth/assemble-growth.ts';
import * as invention from '#shared/growth/assemble-invention.ts';
import * as growthEnds from '#shared/growth/end-growth.ts';
import * as rounds from '#shared/growth/plan-round.ts';
import * as pool from '#shared/growth/search-pool.ts';
import * as sources from '#shared/growth/take-source.ts';
import { endGrowthNeeds } from '#shared/growth/wire.ts';
import * as runAssembly from '#shared/lifecycle/assemble-run.ts';
import * as cancelling from '#shared/lifecycle/cancel-run.ts';
import * as runEnds from '#shared/lifecycle/end-adaptation.ts';
import * as ended from '#shared/lifecycle/end-interrupted-run.ts';
import * as erasing from '#shared/lifecycle/erase-dataset.ts';
import * as erasingVersions from '#shared/lifecycle/erase-version.ts';
import * as pilots from '#shared/pilots/advance-pilot.ts';
import * as pilotEnds from '#shared/pilots/end-pilot.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { type Bound, type Needs, operation } from '#shared/platform/runtime/need.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import * as publishing from '#shared/publishing/publish.ts';
import * as modelPublishing from '#shared/publishing/start-model-publication.ts';
import * as applying from '#shared/review/apply-verdicts.ts';
import * as reviewEnds from '#shared/review/end-review.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import * as lateOutputs from '#shared/training/remove-late-outputs.ts';
import { calibrationOf } from './calibrations.ts';

/** An operation on the parts of the function that runs it, so that a test calls it on the resources of its world. */
const operationOf = <N extends Needs, Args extends unknown[], R>(
  { needs }: { readonly needs: N },
  run: (ports: Bound<N>, ...args: Args) => R,
) => operation(needs, run);

export const launchAdaptation = operationOf(runHandler, adaptation.launchAdaptation);
export const planAdaptation = operationOf(planRunHandler, (ports, context: RunContext) =>
  planning.planAdaptation({ ...ports, promptVersions: ADAPT_ROWS_PROMPTS }, context),
);
export const assembleRun = operationOf(assembleRunHandler, (ports, context: RunContext, now: number) =>
  runAssembly.assembleRun(ports, context, { now }),
);
export const endAdaptation = operationOf(
  settleRunHandler,
  (
    { speeds, modelConcurrency, evaluationSampleRows, ...ports },
    context: RunContext,
    error: ErrorData | null,
    now: number,
  ) => {
    const measuring = { speeds, modelConcurrency, evaluationSampleRows };
    return runEnds.endAdaptation({ ...ports, measuring }, context, error, now);
  },
);
export const applyVerdicts = operationOf(
  applyVerdictsHandler,
  ({ clock, ...ports }, context: RunContext, invocation: Parameters<typeof applying.applyVerdicts>[2]) =>
    applying.applyVerdicts({ ...ports, clock: clock.now }, context, invocation),
);
export const endReview = operationOf(finishReviewHandler, reviewEnds.endReview);
export const endInterruptedRun = operationOf(settleEndedHandler, ended.endInterruptedRun);
export const cancelRun = operationOf(cancelHandler, cancelling.cancelRun);
export const eraseDataset = operationOf(eraseDatasetHandler, erasing.eraseDataset);
export const eraseVersion = operationOf(eraseVersionHandler, erasingVersions.eraseVersion);
export const indexRows = operationOf(indexHandler, indexing.indexRows);
export const buildExport = operationOf(exportHandler, exporting.buildExport);
export const buildDiff = operationOf(diffHandler, diffs.buildDiff);
export const assembleGrowth = operationOf(growthHandler, growth.assembleGrowth);
export const takeSource = operationOf(sourceHandler, sources.takeSource);
export const endGrowth = operation(endGrowthNeeds, growthEnds.endGrowth);
export const assembleAugmentation = operationOf(augmentationHandler, augmentation.assembleAugmentation);
export const searchPool = operationOf(
  searchHandler,
  ({ objects }, group: Parameters<typeof pool.searchPool>[1]) => pool.searchPool(objects, group),
);
export const assembleInvention = operationOf(inventionHandler, invention.assembleInvention);
export const planRound = operationOf(
  roundHandler,
  (
    { withJudge: _, ...ports },
    context: Parameters<typeof rounds.planRound>[1],
    at: Parameters<typeof rounds.planRound>[2],
  ) => rounds.planRound({ ...ports, measureJudge: async () => calibrationOf('judge') }, context, at),
);
export const advancePilot = operationOf(
  advanceHandler,
  ({ clock, ...ports }, context: Parameters<typeof pilots.advancePilot>[1]) =>
    pilots.advancePilot({ ...ports, now: clock.now, promptVersions: ADAPT_ROWS_PROMPTS }, context),
);
export const endPilot = operationOf(settlePilotHandler, pilotEnds.endPilot);
export const publish = operationOf(publishHandler, (ports, input: Parameters<typeof publishing.publish>[1]) =>
  publishing.publish(
    {
      ...ports,
      onError: (error) => logger.error('publication failed', { ...input, ...describeError(error) }),
    },
    input,
  ),
);
export const startModelPublication = operationOf(publishModelHandler, modelPublishing.startModelPublication);
const { trainings, objects } = watchHandler.needs;
export const removeLateOutputs = operation({ trainings, objects }, lateOutputs.removeLateOutputs);
