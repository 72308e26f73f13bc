import { background } from '#shared/platform/pipelines/background.ts';
import { task } from '#shared/platform/pipelines/pipeline.ts';
import { CodeJobs, CodeOutcomes } from './schema/code-jobs.ts';

/** Runs the code of rows of one team; the task that looks for doubts invokes it and waits (ADR 0078). */
export const runCode = background({
  id: 'tasks/witnesses/run-code',
  trigger: { kind: 'invoke', retries: 0 },
  ...task({
    input: CodeJobs,
    output: CodeOutcomes,
    // Three interpreters, each with its row's memory, and the copy from which Python starts again; and a whole processor, since
    // code of a row has a second.
    memoryMb: 1792,
    timeoutSeconds: 120,
    // Lambda answers 6 MB.
    answerBytesMax: 5_000_000,
    isSealed: true,
  }),
});
