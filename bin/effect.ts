import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { localDirectory } from '#local/paths.ts';
import { isPairTrusted } from '#shared/domain/evaluation/calibration.ts';
import { HALVES, loadRows } from './effect/load-rows.ts';
import { connectModels, type LabEndpoint, LOCAL_MODELS, startLocalEndpoint } from './effect/models.ts';
import { inputHash, openResults, readResults } from './effect/result.ts';
import { KINDS, type LabRow } from './effect/row.ts';
import { runRows } from './effect/run-rows.ts';

/**
 * `npm run effect`: adapts rows whose right answers are known by the service's own code, and counts what it harmed and
 * what it mended. `docs/effect.md` says what is measured and holds the figures.
 */
const USAGE = `Usage: npm run effect -- [options]
  --half held-out|development      rows to adapt (held-out)
  --kinds a,b                      only rows of these kinds
  --url URL --model ID             an OpenAI-compatible endpoint; without it models of this machine are served
  --judge-model ID                 the model itself where it is not given
  --embedding-model ID             none where it is not given
  --context-tokens N               tokens that a request and its answer share (8192)
  --concurrency N                  rows in work at once (4)
  --results FILE                   JSON Lines; rows that are in it are not run again
  --no-run                         adapts nothing: reports what the file holds
  MODEL_API_KEY in the environment is sent to the endpoint.`;

const { values } = parseArgs({
  options: {
    half: { type: 'string', default: 'held-out' },
    kinds: { type: 'string' },
    url: { type: 'string' },
    model: { type: 'string' },
    'judge-model': { type: 'string' },
    'embedding-model': { type: 'string' },
    'context-tokens': { type: 'string', default: '8192' },
    concurrency: { type: 'string', default: '4' },
    results: { type: 'string' },
    'no-run': { type: 'boolean', default: false },
  },
});

function refuse(problem: string): never {
  console.error(`${problem}\n\n${USAGE}`);
  process.exit(2);
}

function readCount(name: 'concurrency' | 'context-tokens'): number {
  const count = Number(values[name]);
  return Number.isInteger(count) && count > 0 ? count : refuse(`--${name} is no whole number above 0.`);
}

const half = HALVES.find((name) => name === values.half) ?? refuse(`There is no half ${values.half}.`);
const kinds = (values.kinds?.split(',') ?? [...KINDS]).map(
  (name) => KINDS.find((kind) => kind === name) ?? refuse(`There is no kind ${name}.`),
);
const concurrency = readCount('concurrency');
const contextTokensMax = readCount('context-tokens');
if ((values.url === undefined) !== (values.model === undefined)) refuse('--url and --model go together.');
const named = namedModels();
const resultsFile =
  values.results ??
  join(localDirectory, 'effect', `${half}-${named.model.replaceAll(/[^\w.-]+/g, '_')}.jsonl`);

const all = (await loadRows())[half];
const rows = all.filter(({ kind }) => kinds.includes(kind));
if (rows.length === 0) refuse(`The half ${half} has no rows of these kinds.`);
if (!values['no-run']) await run(rows);

function namedModels() {
  const { url, model } = values;
  if (url === undefined || model === undefined) return LOCAL_MODELS;
  const judgeModel = values['judge-model'] ?? model;
  return { url, model, judgeModel, embeddingModel: values['embedding-model'] ?? null };
}

async function startEndpoint(): Promise<LabEndpoint> {
  if ('url' in named) return { ...named, contextTokensMax, stop: async () => undefined };
  return startLocalEndpoint(concurrency);
}

/** Adapts the rows that the file of results does not hold yet. */
async function run(wanted: readonly LabRow[]): Promise<void> {
  const held = await readResults(resultsFile);
  const isDone = (row: LabRow) => held.rows.get(row.id)?.input_hash === inputHash(row);
  const open = wanted.filter((row) => !isDone(row));
  if (open.length === 0) return;
  if (held.run !== null && (held.run.model !== named.model || held.run.half !== half)) {
    refuse(`${resultsFile} holds rows of ${held.run.half} by ${held.run.model}: name another file.`);
  }
  await mkdir(dirname(resultsFile), { recursive: true });
  const add = await openResults(resultsFile);
  const endpoint = await startEndpoint();
  try {
    const { models, asking, close } = await connectModels(endpoint, {
      concurrency,
      judgeFile: `${resultsFile}.judge.json`,
    });
    await add({
      type: 'run',
      half,
      model: named.model,
      judge: models.judge?.modelId ?? null,
      judge_trusted: isPairTrusted(models.calibration),
      embedding_model: models.embedder?.modelId ?? null,
    });
    const isOpen = new Set(open.map(({ id }) => id));
    let done = 0;
    try {
      await runRows({
        rows: all,
        isDone: ({ id }) => !isOpen.has(id),
        models,
        asking,
        concurrency,
        async onResult(result) {
          await add(result);
          if (result.type === 'dataset') return;
          done += 1;
          const { id, outcome, reason, before_ok, after_ok, seconds } = result;
          const effect = before_ok === after_ok ? '' : after_ok ? ' GAIN' : ' HARM';
          process.stderr.write(
            `[${done}/${open.length}] ${id} ${reason ?? outcome}${effect}  ${seconds.toFixed(1)} s\n`,
          );
        },
      });
    } finally {
      await close();
    }
  } finally {
    await endpoint.stop();
  }
}
