import { adapt } from '#shared/pipelines/adapt.ts';
import { findDuplicates } from '#shared/runtime/deps/deduplication.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(
  adapt.tasks['find-duplicates'],
  { findDuplicates },
  (context, { findDuplicates }) => findDuplicates(context),
);
