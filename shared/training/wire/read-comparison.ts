import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { shownComparison } from '../decide/comparison.ts';
import { readComparison as read } from '../read-comparison.ts';
import { theTrainings } from './trainings.ts';

type ReadComparison = (caller: { team_id: string }, comparisonId: string) => ReturnType<typeof read>;

export const readComparison = /* @__PURE__ */ need<ReadComparison>(
  { table: 'read', bucket: { read: ['trainings'] } },
  (use) => {
    const ports = { trainings: theTrainings(use), objects: use(theObjects) };
    return async ({ team_id }, comparisonId) =>
      read(ports, shownComparison(await ports.trainings.find(team_id, comparisonId)));
  },
);
