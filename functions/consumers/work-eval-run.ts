import { administration } from '#shared/access/wire.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { workEvalRun as contract } from '#shared/evals/background.ts';
import { evals, onEvalFailure, startEvalWorker } from '#shared/evals/wire.ts';
import { workEvalRun } from '#shared/evals/work-eval-run.ts';
import { clock } from '#shared/models/wire.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { claims, newId, random } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { functionCaller } from '#shared/platform/wire-functions.ts';
import { responder } from '#shared/responses/wire-responder.ts';
import { verdicts } from '#shared/review/wire.ts';
import { runs } from '#shared/runs/wire.ts';
import { runCode } from '#shared/witnesses/background.ts';

export const handler = runTask(
  contract,
  {
    evals: evals('write'),
    datasets: datasets('read'),
    runs: runs('read'),
    verdicts: verdicts('read'),
    objects: objects({
      read: ['evals', 'datasets', 'runs', 'responses'],
      write: ['evals'],
    }),
    claims: claims('write'),
    newId,
    access: administration,
    respond: responder,
    runCode: functionCaller(runCode.id),
    start: startEvalWorker,
    onFailure: onEvalFailure,
    clock,
    random,
  },
  (run, ports, { deadline }) => workEvalRun(ports, run, deadline),
);
