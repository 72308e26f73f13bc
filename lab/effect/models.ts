import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultTextModelId, embeddingModelId, findLocalModel } from '#local/model/catalog.ts';
import { setUpModels } from '#local/model/setup.ts';
import { startModelServer } from '#local/model/start.ts';
import { localDirectory } from '#local/paths.ts';
import { findFreePort } from '#local/ports.ts';
import { createProgress } from '#local/progress.ts';
import { measureJudge } from '#shared/judging/calibrate-judge.ts';
import { calibrationKeyOf, JudgeCalibration } from '#shared/judging/decide/calibration.ts';
import { findKnownCalibration } from '#shared/judging/decide/known-calibrations.ts';
import { connectOpenAi } from '#shared/models/adapters/openai-compatible.ts';
import { systemClock } from '#shared/models/adapters/system-clock.ts';
import { ASKING } from '#shared/models/asking.ts';
import { createAdaptiveLimit } from '#shared/models/decide/adaptive-limit.ts';
import { type Asking, newCallMeter } from '#shared/models/decide/ask-model.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import type { LabModels } from './program.ts';

/** An endpoint for adapting rows, and the roles of its models. */
export interface LabEndpoint {
  readonly url: string;
  readonly model: string;
  readonly judgeModel: string;
  readonly embeddingModel: string | null;
  /** Size of the model's context in tokens. */
  readonly contextTokensMax: number;
  /** The stored calibration of the judge. */
  readonly calibration?: JudgeCalibration;
  stop(): Promise<void>;
}

/** Model settings of the local cloud, so that both adapt rows in the same way. */
const LOCAL_CONTEXT_TOKENS = 4096;

export const LOCAL_MODEL = defaultTextModelId;

/** Downloads missing local models, and serves them on their own port. */
export async function startLocalEndpoint(concurrency: number): Promise<LabEndpoint> {
  const models = [LOCAL_MODEL, embeddingModelId];
  const progress = createProgress();
  await setUpModels(models, progress);
  const port = await findFreePort();
  const server = await progress.step(`Model server on port ${port}`, () =>
    startModelServer({
      models,
      port,
      logFile: join(localDirectory, 'logs', `effect-model-server-${port}.log`),
      settings: {
        TUNESMITH_MODEL_CONTEXT: String(LOCAL_CONTEXT_TOKENS),
        TUNESMITH_MODEL_SEQUENCES: String(concurrency),
      },
    }),
  );
  return {
    url: server.baseUrl,
    model: LOCAL_MODEL,
    judgeModel: LOCAL_MODEL,
    embeddingModel: embeddingModelId,
    contextTokensMax: LOCAL_CONTEXT_TOKENS,
    stop: server.stop,
  };
}

/** The timeout of a worker in the local cloud. */
const TIMEOUT_SECONDS = 600;
const OUTAGE_SECONDS_MAX = 720;

/** Clients of an endpoint's models; a judge without a calibration is calibrated, and the result stored in a file. */
export async function connectModels(
  endpoint: LabEndpoint,
  { concurrency, judgeFile }: { readonly concurrency: number; readonly judgeFile: string },
): Promise<{ models: LabModels; asking: Asking; close(): Promise<void> }> {
  const connection = connectOpenAi({
    baseUrl: endpoint.url,
    apiKey: process.env.MODEL_API_KEY,
    connectionsMax: concurrency,
    timeoutSeconds: TIMEOUT_SECONDS,
  });
  const asking: Asking = {
    ...ASKING,
    outageSecondsMax: OUTAGE_SECONDS_MAX,
    clock: systemClock,
    random: Math.random,
    limit: createAdaptiveLimit({ concurrencyMax: concurrency, clock: systemClock, random: Math.random }),
  };
  const model = connection.model(endpoint.model);
  const judge = endpoint.judgeModel === endpoint.model ? model : connection.model(endpoint.judgeModel);
  try {
    const models: LabModels = {
      rewrite: model,
      answer: model,
      judge,
      calibration: endpoint.calibration ?? (await calibrationOf(judge, asking, judgeFile)),
      embedder: endpoint.embeddingModel === null ? null : connection.embeddings(endpoint.embeddingModel),
      contextTokensMax: endpoint.contextTokensMax,
    };
    return { models, asking, close: connection.close };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** The stored calibration of a local model's weights; null for others. */
export function localCalibrationOf(modelId: string): JudgeCalibration | null {
  const local = findLocalModel(modelId);
  return local === undefined ? null : findKnownCalibration(calibrationKeyOf(modelId), local.weights.sha256);
}

/** The stored calibration of local weights, or of this judge from an earlier run; otherwise it is measured now. */
async function calibrationOf(
  judge: ModelClient,
  asking: Asking,
  judgeFile: string,
): Promise<JudgeCalibration | null> {
  const key = calibrationKeyOf(judge.modelId);
  if (findLocalModel(judge.modelId) !== undefined) return localCalibrationOf(judge.modelId);
  const kept = JudgeCalibration.safeParse(JSON.parse(await readFile(judgeFile, 'utf8').catch(() => 'null')));
  const isSameKey = (['model_id', 'prompt_version', 'set_hash'] as const).every(
    (field) => kept.data?.[field] === key[field],
  );
  if (kept.success && isSameKey) return kept.data;
  const meter = newCallMeter();
  const calibration = await measureJudge(judge, asking, meter);
  process.stderr.write(
    `Judge ${judge.modelId}: accuracy ${calibration.pairs.accuracy} in ${meter.calls} calls\n`,
  );
  await writeFile(judgeFile, `${JSON.stringify(calibration)}\n`);
  return calibration;
}
