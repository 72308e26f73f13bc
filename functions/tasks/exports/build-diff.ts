import { datasets, versions } from '#shared/datasets/wire.ts';
import { buildDiff as contract } from '#shared/exports/background.ts';
import { buildDiff } from '#shared/exports/build-diff.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { claims } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { runs } from '#shared/runs/wire.ts';

export const handler = runTask(
  contract,
  {
    datasets: datasets('read'),
    versions: versions('read'),
    runs: runs('read'),
    objects: objects({ read: ['datasets', 'exports', 'runs'], write: ['exports'], delete: ['exports'] }),
    claims: claims('write'),
  },
  (input, ports) => buildDiff(ports, input),
);
