import { augment } from '#shared/pipelines/augment.ts';
import { searchPool } from '#shared/runtime/deps/augment.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(augment.tasks['search-pool'], { searchPool }, (group, { searchPool }) =>
  searchPool(group),
);
