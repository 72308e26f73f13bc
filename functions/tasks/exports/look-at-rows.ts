import { datasets } from '#shared/datasets/wire.ts';
import { lookAtRows as contract } from '#shared/exports/background.ts';
import { findRowDoubts } from '#shared/exports/find-row-doubts.ts';
import { loadDetector } from '#shared/exports/wire.ts';
import { clock } from '#shared/models/wire.ts';
import { models } from '#shared/models/wire-providers.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { claims, random } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { functionCaller } from '#shared/platform/wire-functions.ts';
import { modelConcurrency, runs } from '#shared/runs/wire.ts';
import { runCode } from '#shared/witnesses/background.ts';
import { onWitnessFailure } from '#shared/witnesses/wire.ts';

export const handler = runTask(
  contract,
  {
    datasets: datasets('read'),
    runs: runs('read'),
    objects: objects({ read: ['datasets', 'runs'], write: ['exports'], delete: ['exports'] }),
    claims: claims('write'),
    configured: models(['embed'], (use) => use(modelConcurrency)),
    callsMax: modelConcurrency,
    clock,
    random,
    loadDetector,
    // Another function runs it, which holds nothing that code could reach.
    runCode: functionCaller(runCode.id),
    onFailure: onWitnessFailure,
  },
  async (input, { configured, ...ports }) => {
    const { embedder } = await configured();
    return findRowDoubts({ ...ports, embedder: embedder() }, input);
  },
);
