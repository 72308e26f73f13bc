import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { findDuplicates } from '#shared/adaptation/wire/deduplication.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  adapt.tasks['find-duplicates'],
  { findDuplicates },
  (context, { findDuplicates }) => findDuplicates(context),
);
