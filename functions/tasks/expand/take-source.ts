import { expand } from '#shared/growth/pipelines/expand.ts';
import { takeSource } from '#shared/growth/wire/expand.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(expand.tasks['take-source'], { takeSource }, (context, { takeSource }) =>
  takeSource(context),
);
