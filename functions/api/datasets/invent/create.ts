import { datasets } from '#shared/datasets/wire.ts';
import { inventDataset } from '#shared/growth/contracts/invent.ts';
import { launchInvention } from '#shared/growth/launch-invention.ts';
import { modelId } from '#shared/models/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { freeUses, newId } from '#shared/platform/wire.ts';
import { functionCaller } from '#shared/platform/wire-functions.ts';
import { Inference } from '#shared/runs/schema/invention.ts';
import { launchRun, ledger } from '#shared/runs/wire.ts';

export const handler = serve(
  inventDataset,
  {
    datasets: datasets('read'),
    ledger: ledger('read'),
    launchRun: launchRun(['invent'], { write: ['runs'] }),
    newId,
    judgeModelId: modelId('judge'),
    freeUses,
    // Another function has the models, which keeps this one small.
    inferTopics: functionCaller('tasks/topics/infer-topics'),
  },
  ({ caller, body, now }, { inferTopics, ...ports }) =>
    launchInvention(
      { ...ports, infer: async (prompt) => Inference.parse(await inferTopics({ prompt })) },
      { caller, request: body, now },
    ),
);
