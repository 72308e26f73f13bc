import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { requireLocalModel } from '#local/model/catalog.ts';
import { JudgeUnavailable, measureJudge, measureSafety } from '#shared/judging/calibrate-judge.ts';
import { believedKinds } from '#shared/judging/decide/calibration.ts';
import type { KnownCalibration } from '#shared/judging/decide/known-calibrations.ts';
import type { KnownSafetyCalibration } from '#shared/judging/decide/safety/known-safety-calibrations.ts';
import { connectOpenAi } from '#shared/models/adapters/openai-compatible.ts';
import { systemClock } from '#shared/models/adapters/system-clock.ts';
import { createAdaptiveLimit } from '#shared/models/decide/adaptive-limit.ts';
import { newCallMeter } from '#shared/models/decide/ask-model.ts';
import type { TrialStore } from '#shared/models/decide/trials.ts';
import { calibrateBlind } from '#shared/witnesses/calibrate-blind.ts';
import { BlindCalibration, type BlindCalibrationStore } from '#shared/witnesses/decide/blind-calibration.ts';
import type { KnownBlindCalibration } from '#shared/witnesses/decide/known-blind-calibrations.ts';

/**
 * Calibrates local models as judges with a running model server and stores the result: `tsx lab/calibrate.ts --url
 * http://127.0.0.1:11435/v1 qwen2.5-coder-1.5b smollm2-135m`. `--only answers`, `--only safety` and `--only witness` measure one of
 * the three calibrations; `--dry-run` prints without storing. Calibrating for answers takes 262 calls, and 262 more if the
 * judge is trusted for some kind of pair; as a witness, about 900, which `--parts FILE` keeps by kind of question, so that an
 * interrupted run goes on from there. If the provider rejects the judge, the stored calibration
 * stays unchanged.
 */
type Known = KnownCalibration | KnownSafetyCalibration | KnownBlindCalibration;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    concurrency: { type: 'string', default: '4' },
    only: { type: 'string' },
    parts: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
  },
});
if (values.url === undefined || positionals.length === 0) {
  console.error('Usage: tsx lab/calibrate.ts --url <base URL of the model server> [--dry-run] <model id> …');
  process.exit(2);
}

const RECORDS = {
  answers: new URL('../shared/judging/decide/known-calibrations.json', import.meta.url),
  safety: new URL('../shared/judging/decide/safety/known-safety-calibrations.json', import.meta.url),
  witness: new URL('../shared/witnesses/decide/known-blind-calibrations.json', import.meta.url),
};
const concurrencyMax = Number(values.concurrency);
const endpoint = connectOpenAi({
  baseUrl: values.url,
  connectionsMax: concurrencyMax,
  timeoutSeconds: 300,
});

/** What an earlier process has measured of the witness, by model: kinds of questions, and trials of one that broke off. */
const partsFile = values.parts;
const parts = new Map<string, unknown>(
  partsFile !== undefined && existsSync(partsFile)
    ? Object.entries(JSON.parse(await readFile(partsFile, 'utf8')))
    : [],
);
const keep = async (name: string, part: unknown): Promise<void> => {
  parts.set(name, part);
  if (partsFile !== undefined) await writeFile(partsFile, JSON.stringify(Object.fromEntries(parts)));
};
const STORE: BlindCalibrationStore & TrialStore = {
  findBlindCalibration: async (key) =>
    BlindCalibration.nullable().parse(parts.get(`${key.model_id} ${key.set_hash}`) ?? null),
  saveBlindCalibration: (calibration) => keep(`${calibration.model_id} ${calibration.set_hash}`, calibration),
  findTrials: async (key) =>
    z.record(z.string(), z.unknown()).parse(parts.get(`trials ${key.model_id} ${key.set_hash}`) ?? {}),
  saveTrials: (key, trials) => keep(`trials ${key.model_id} ${key.set_hash}`, trials),
};
const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort(new Error('Interrupted; --parts continues from here.')));

for (const modelId of positionals) {
  const model = requireLocalModel(modelId);
  const meter = newCallMeter();
  const startedAtMs = systemClock.now();
  const asking = {
    limit: createAdaptiveLimit({ concurrencyMax, clock: systemClock, random: Math.random }),
    clock: systemClock,
    random: Math.random,
    attemptsMax: 3,
    serverErrorsMax: 8,
    outageSecondsMax: 300,
    signal: interrupted.signal,
  };
  const judge = endpoint.model(modelId);
  const isWanted = (of: keyof typeof RECORDS): boolean => values.only === undefined || values.only === of;
  const measure = async () => ({
    ...(isWanted('answers') ? { answers: await measureJudge(judge, asking, meter) } : {}),
    ...(isWanted('safety') ? { safety: await measureSafety(judge, asking, meter) } : {}),
    ...(isWanted('witness') ? { witness: await calibrateBlind(judge, { store: STORE, asking, meter }) } : {}),
  });
  const calibrations = await measure().catch((error: unknown) => {
    if (!(error instanceof JudgeUnavailable)) throw error;
    console.error(`${modelId}: ${error.message}`);
    process.exitCode = 1;
    return {};
  });
  const seconds = Math.round((systemClock.now() - startedAtMs) / 1000);
  console.log(JSON.stringify({ ...calibrations, ...meter, seconds }, null, 2));
  if ('answers' in calibrations) {
    console.log(`Believed for: ${believedKinds(calibrations.answers).join(', ') || 'nothing'}`);
  }
  for (const [of, calibration] of Object.entries(calibrations)) {
    if (values['dry-run']) continue;
    await record(RECORDS[of as keyof typeof RECORDS], {
      ...calibration,
      weights_sha256: model.weights.sha256,
    });
  }
}
await endpoint.close();

/** Replaces the stored calibration of these weights. */
async function record(file: URL, calibration: Known): Promise<void> {
  const records = JSON.parse(await readFile(file, 'utf8')) as Known[];
  const others = records.filter(({ weights_sha256 }) => weights_sha256 !== calibration.weights_sha256);
  const all = [...others, calibration].sort((a, b) => a.model_id.localeCompare(b.model_id));
  await writeFile(file, `${JSON.stringify(all, null, 2)}\n`);
}
