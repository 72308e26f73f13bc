import { collectCalls } from '#shared/adaptation/collect-calls.ts';
import { batchJobs } from '#shared/adaptation/pipelines/batch-jobs.ts';
import { adaptationWorker, hasBatchJobs } from '#shared/adaptation/wire.ts';
import { CallDeferred } from '#shared/models/decide/call-memo.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { modelIds } from '#shared/models/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

/** A model that answers nothing: while calls are collected, none is made. */
const deferring = (modelId: string | undefined): ModelClient | null =>
  modelId === undefined ? null : { modelId, generate: () => Promise.reject(new CallDeferred()) };

export const handler = runTask(
  batchJobs.tasks['collect-calls'],
  {
    ...adaptationWorker({ read: ['datasets', 'runs', 'reuse'], write: ['runs'] }),
    ids: modelIds(['rewrite', 'answer', 'judge', 'embed']),
    hasBatchJobs,
  },
  (plan, { ids, ...ports }, { deadline, requestId }) => {
    const models = {
      rewrite: deferring(ids.rewrite),
      answer: deferring(ids.answer),
      judge: deferring(ids.judge),
      embedder:
        ids.embed === undefined
          ? null
          : { modelId: ids.embed, embed: () => Promise.reject(new CallDeferred()) },
    };
    return collectCalls({ ...ports, models, search: null }, plan, {
      deadlineMs: deadline,
      attempt: requestId,
    });
  },
);
