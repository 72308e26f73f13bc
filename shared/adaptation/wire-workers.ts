import { withJudge } from '#shared/judging/wire.ts';
import { batchProvider, searchProvider } from '#shared/models/wire-providers.ts';
import { operation } from '#shared/platform/runtime/need.ts';
import type { TaskTools } from '#shared/platform/runtime/task.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { inStage } from '#shared/runs/in-stage.ts';
import { measureWorker } from '#shared/runs/measure-worker.ts';
import type { NotBelieved } from '#shared/runs/schema/report.ts';
import type { BatchWork, ScorePlan } from '#shared/runs/schema/run-context.ts';
import { runs } from '#shared/runs/wire.ts';
import { adaptBatch } from './adapt-batch.ts';
import { cancelBatchJobs } from './advance-batch-jobs.ts';
import { calibrateForRun } from './calibrate-for-run.ts';
import { notMeasured } from './decide/not-believed.ts';
import { scoreSample } from './evaluate-dataset.ts';
import { adaptationWorker, judgingWorker, onTrouble, searchesPerWorker, workerModels } from './wire.ts';

/** Adapts rows: of a run, and of an arm of a pilot. */
export const rowAdapter = () =>
  operation(
    {
      ...adaptationWorker({ read: ['datasets', 'runs', 'reuse'], write: ['runs', 'reuse'] }),
      configured: workerModels(['rewrite', 'answer', 'judge', 'embed']),
      searchProvider,
      searchesPerWorker,
    },
    async (
      { configured, searchProvider: provider, searchesPerWorker, ...ports },
      plan: BatchWork,
      tools: TaskTools,
    ) => {
      const { generator, embedder } = await configured();
      const models = {
        rewrite: generator('rewrite'),
        answer: generator('answer'),
        judge: generator('judge'),
        embedder: embedder(),
      };
      const search = provider === null ? null : { provider, concurrencyMax: searchesPerWorker };
      return measureWorker('adapt-chunk', tools, (invocation) =>
        adaptBatch({ ...ports, models, search }, plan, invocation),
      );
    },
  );

/** Scores a piece of a sample: of an evaluation, and of a pilot. */
export const sampleScorer = () =>
  operation(
    {
      ...judgingWorker('read', { read: ['runs', 'reuse'], write: ['runs', 'reuse'] }),
      configured: workerModels(['judge', 'embed']),
    },
    async ({ configured, ...ports }, plan: ScorePlan, tools: TaskTools) => {
      const { generator, embedder } = await configured();
      const models = { judge: generator('judge'), embedder: embedder() };
      return measureWorker('score-chunk', tools, (invocation) =>
        scoreSample({ ...ports, models }, plan, invocation),
      );
    },
  );

/** Calibrates the judge for a run, of an adaptation or a pilot, and notes which of its judges are believed for nothing. */
export const runCalibrator = () =>
  operation(
    { withJudge, objects: objects({ read: ['runs'], write: ['runs'] }), runs: runs('write') },
    async ({ withJudge, objects, runs }, run: { readonly run_id: string; readonly dataset_id: string }) => {
      const silent: NotBelieved[] = [];
      const found = await inStage(runs, run, 'measuring_judge', () =>
        withJudge(
          (judging) => calibrateForRun(judging, objects, run.run_id),
          (model, reason) => silent.push(notMeasured(model, reason)),
        ),
      );
      const key = objectKeys.notBelieved(run.run_id);
      await objects.write(key, JSON.stringify(found ?? silent), 'application/json');
      return { calibrated: found !== null };
    },
  );

/** Cancels the batch jobs of a run: as its last step, and in the background. */
export const batchJobsCanceller = () =>
  operation(
    { objects: objects({ read: ['runs'] }), provider: batchProvider('cancel') },
    async ({ objects, provider }, { run_id }: { readonly run_id: string }) =>
      cancelBatchJobs({ objects, provider: await provider(), onTrouble }, run_id),
  );
