import { findDoubts } from '#shared/adaptation/find-doubts.ts';
import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { clock } from '#shared/models/wire.ts';
import { models } from '#shared/models/wire-providers.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { random } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { functionCaller } from '#shared/platform/wire-functions.ts';
import { inStage } from '#shared/runs/in-stage.ts';
import { modelConcurrency, runs } from '#shared/runs/wire.ts';
import { runCode } from '#shared/witnesses/background.ts';
import { onWitnessFailure } from '#shared/witnesses/wire.ts';

export const handler = runTask(
  adapt.tasks['find-doubts'],
  {
    objects: objects({ read: ['datasets', 'runs'], write: ['runs'] }),
    runs: runs('write'),
    configured: models(['embed'], (use) => use(modelConcurrency)),
    callsMax: modelConcurrency,
    clock,
    random,
    // Another function runs it, which holds nothing that code could reach.
    runCode: functionCaller(runCode.id),
    onFailure: onWitnessFailure,
  },
  async (context, { configured, runs, ...ports }) => {
    const { embedder } = await configured();
    return inStage(runs, context, 'looking_at_rows', () =>
      findDoubts({ ...ports, embedder: embedder() }, context),
    );
  },
);
