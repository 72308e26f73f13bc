import { administration } from '#shared/access/wire.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { clock } from '#shared/models/wire.ts';
import { workBatch as contract } from '#shared/openai/background.ts';
import { batches, onBatchFailure, startBatchWorker } from '#shared/openai/wire.ts';
import { workBatch } from '#shared/openai/work-batch.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { claims, newId, random } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { responder } from '#shared/responses/wire-responder.ts';
import { runs } from '#shared/runs/wire.ts';

export const handler = runTask(
  contract,
  {
    batches: batches('write'),
    datasets: datasets('read'),
    runs: runs('read'),
    objects: objects({ read: ['batches', 'datasets'], write: ['batches'], delete: ['batches'] }),
    claims: claims('write'),
    newId,
    access: administration,
    respond: responder,
    goOn: startBatchWorker,
    onFailure: onBatchFailure,
    clock,
    random,
  },
  (batch, ports, { deadline }) => workBatch(ports, batch, deadline),
);
