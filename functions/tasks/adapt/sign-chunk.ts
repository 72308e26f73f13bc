import { adapt } from '#shared/pipelines/adapt.ts';
import { signChunk } from '#shared/runtime/deps/deduplication.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(adapt.tasks['sign-chunk'], { signChunk }, (chunk, { signChunk }) =>
  signChunk(chunk),
);
