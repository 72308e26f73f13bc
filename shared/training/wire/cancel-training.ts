import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { need, type Use } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createSettleRun } from '#shared/runs/settle-run.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { theExecutions } from '#shared/runs/wire/executions.ts';
import { theLedger } from '#shared/runs/wire/ledger.ts';
import { type CancelTrainingPorts, cancelTraining as cancel } from '../cancel-training.ts';
import { shownComparison } from '../decide/comparison.ts';
import { shownTraining, toTrainingRun } from '../decide/record.ts';
import { removeLeftovers } from '../remove-leftovers.ts';
import type { TrainingRun } from '../schema/training.ts';
import { theTrainings } from './trainings.ts';

type Cancel<Ended> = (caller: { team_id: string }, id: string, now: number) => Promise<Ended>;

const access = { table: 'write', credits: 'write', bucket: { read: ['runs'] }, stops: ['train'] } as const;

const thePorts = (use: Use): CancelTrainingPorts => ({
  trainings: theTrainings(use),
  datasets: createDatasetRepository(use(theTable)),
  objects: use(theObjects),
  runs: createRunRepository(use(theTable)),
  settleRun: createSettleRun({ ledger: theLedger(use) }),
  executions: use(theExecutions),
  onStopFailed: (error: unknown) =>
    logger.warn('the execution of a cancelled training was not stopped', describeError(error)),
});

export const cancelTraining = /* @__PURE__ */ need<Cancel<TrainingRun>>(access, (use) => {
  const ports = thePorts(use);
  return async ({ team_id }, experimentId, now) => {
    const training = shownTraining(await ports.trainings.find(team_id, experimentId));
    return toTrainingRun(await cancel(ports, training, now));
  };
});

/** The models of a comparison are for it alone, and are deleted at its end; a repetition deletes the rest. */
export const cancelComparison = /* @__PURE__ */ need<Cancel<void>>(
  { ...access, bucket: { read: ['runs', 'trainings'], delete: ['trainings'] } },
  (use) => {
    const ports = thePorts(use);
    return async ({ team_id }, comparisonId, now) => {
      const comparison = shownComparison(await ports.trainings.find(team_id, comparisonId));
      await cancel(ports, comparison, now);
      await removeLeftovers(use(theObjects), comparison);
    };
  },
);
