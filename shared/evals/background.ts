import * as z from 'zod';
import { background } from '#shared/platform/pipelines/background.ts';
import { task } from '#shared/platform/pipelines/pipeline.ts';

/** Works on a run of an eval, and starts itself again before its time is up. Lambda repeats one that was killed. */
export const workEvalRun = background({
  id: 'consumers/work-eval-run',
  trigger: { kind: 'invoke' },
  ...task({
    input: z.object({ team_id: z.string(), eval_id: z.string(), run_id: z.string() }),
    output: z.object({ status: z.string() }),
    // All rows of the run, and what became of them.
    memoryMb: 1024,
    timeoutSeconds: 900,
  }),
});
