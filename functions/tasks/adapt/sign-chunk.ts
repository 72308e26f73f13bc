import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { signChunk } from '#shared/adaptation/sign-chunk.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';

export const handler = runTask(
  adapt.tasks['sign-chunk'],
  { objects: objects({ read: ['datasets', 'runs'], write: ['runs'] }) },
  (chunk, { objects }) => signChunk(objects, chunk),
);
