import { datasets } from '#shared/datasets/wire.ts';
import { indexRows as contract } from '#shared/exports/background.ts';
import { indexRows } from '#shared/exports/index-rows.ts';
import { loadDetector } from '#shared/exports/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { claims } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { runs } from '#shared/runs/wire.ts';

export const handler = runTask(
  contract,
  {
    datasets: datasets('read'),
    runs: runs('read'),
    objects: objects({ read: ['datasets', 'runs', 'exports'], write: ['exports'], delete: ['exports'] }),
    claims: claims('write'),
    loadDetector,
  },
  (input, ports) => indexRows(ports, input),
);
