import { augment } from '#shared/growth/pipelines/augment.ts';
import { searchPool } from '#shared/growth/search-pool.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';

export const handler = runTask(
  augment.tasks['search-pool'],
  { objects: objects({ read: ['runs', 'pool'], write: ['runs'] }) },
  (group, { objects }) => searchPool(objects, group),
);
