import { augment } from '#shared/growth/pipelines/augment.ts';
import { searchPool } from '#shared/growth/wire/augment.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(augment.tasks['search-pool'], { searchPool }, (group, { searchPool }) =>
  searchPool(group),
);
