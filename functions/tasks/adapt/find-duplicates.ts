import { findDuplicates } from '#shared/adaptation/find-duplicates.ts';
import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';

export const handler = runTask(
  adapt.tasks['find-duplicates'],
  { objects: objects({ read: ['runs'], write: ['runs'] }) },
  (context, { objects }) => findDuplicates(objects, context),
);
