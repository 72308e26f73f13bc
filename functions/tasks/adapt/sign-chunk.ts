import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { signChunk } from '#shared/adaptation/wire/deduplication.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(adapt.tasks['sign-chunk'], { signChunk }, (chunk, { signChunk }) =>
  signChunk(chunk),
);
