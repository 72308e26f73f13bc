import { workerModels } from '#shared/adaptation/wire.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { workEvalRun as contract } from '#shared/evals/background.ts';
import { evals, onEvalFailure, startEvalWorker } from '#shared/evals/wire.ts';
import { workEvalRun } from '#shared/evals/work-eval-run.ts';
import { embedTexts } from '#shared/models/embed-texts.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { claims, unbilled } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { functionCaller } from '#shared/platform/wire-functions.ts';
import { responder } from '#shared/responses/wire-responder.ts';
import { verdicts } from '#shared/review/wire.ts';
import { callsPerWorker, modelPatience, runs } from '#shared/runs/wire.ts';
import { runCode } from '#shared/witnesses/background.ts';

export const handler = runTask(
  contract,
  {
    evals: evals('write'),
    datasets: datasets('read'),
    runs: runs('read'),
    verdicts: verdicts('read'),
    objects: objects({ read: ['evals', 'datasets', 'runs', 'responses'], write: ['evals'] }),
    claims: claims('write'),
    unbilled,
    respond: responder,
    runCode: functionCaller(runCode.id),
    goOn: startEvalWorker,
    onFailure: onEvalFailure,
    configured: workerModels(['embed']),
    callsPerWorker,
    ...modelPatience,
  },
  async (run, { configured, callsPerWorker: callsMax, outageSecondsMax, ...ports }, { deadline }) => {
    const embedder = (await configured()).embedder();
    const { clock, random } = ports;
    const embed =
      embedder === null
        ? null
        : async (texts: readonly string[]) =>
            (await embedTexts({ embedder, callsMax, outageSecondsMax, clock, random }, texts)).vectors;
    return workEvalRun({ ...ports, embed }, run, deadline);
  },
);
