import { versions } from '#shared/datasets/wire.ts';
import { eraseVersion as contract } from '#shared/lifecycle/background.ts';
import { eraseVersion } from '#shared/lifecycle/erase-version.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { objects } from '#shared/platform/wire-bucket.ts';

const CONTENTS = ['datasets', 'runs', 'exports'] as const;

export const handler = runTask(
  contract,
  { versions: versions('read'), objects: objects({ read: CONTENTS, delete: CONTENTS }) },
  (input, ports) => eraseVersion(ports, input),
);
