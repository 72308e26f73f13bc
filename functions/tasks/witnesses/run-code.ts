import { clock } from '#shared/models/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { runCode } from '#shared/witnesses/background.ts';
import { runJobsUntil } from '#shared/witnesses/run-jobs.ts';
import { onWitnessFailure, sandbox } from '#shared/witnesses/wire.ts';

/** Before the end of the invocation: for the answer, and for a job that is under way. */
const RESERVED_MILLISECONDS = 10_000;

export const handler = runTask(
  runCode,
  { sandbox, clock, onWitnessFailure },
  async ({ jobs }, { sandbox, clock, onWitnessFailure }, { deadline }) => ({
    ran: await runJobsUntil(
      { sandbox, now: () => clock.now(), onFailure: (error) => onWitnessFailure('execution', error) },
      jobs,
      deadline - RESERVED_MILLISECONDS,
    ),
  }),
);
