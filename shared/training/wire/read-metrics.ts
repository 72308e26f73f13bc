import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import type { TrainingRecord } from '../decide/record.ts';
import { readMetrics as read } from '../read-metrics.ts';
import { theTrainings } from './trainings.ts';

export const readMetrics = /* @__PURE__ */ need<(training: TrainingRecord) => ReturnType<typeof read>>(
  { table: 'read', bucket: { read: ['trainings'] } },
  (use) => {
    const ports = { trainings: theTrainings(use), objects: use(theObjects) };
    return (training) => read(ports, training);
  },
);
