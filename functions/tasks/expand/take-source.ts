import { expand } from '#shared/pipelines/expand.ts';
import { takeSource } from '#shared/runtime/deps/expand.ts';
import { runTask } from '#shared/runtime/task.ts';

export const handler = runTask(expand.tasks['take-source'], { takeSource }, (context, { takeSource }) =>
  takeSource(context),
);
