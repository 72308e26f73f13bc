import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { embeddingModelId, findLocalModel } from '#local/model/catalog.ts';
import { setUpModels } from '#local/model/setup.ts';
import { localDirectory } from '#local/paths.ts';
import { createProgress } from '#local/progress.ts';
import { believedKinds } from '#shared/judging/decide/calibration.ts';
import type { CheckRates } from '#shared/judging/decide/known-check-rates.ts';
import { type Asking, newCallMeter } from '#shared/models/decide/ask-model.ts';
import { measureBlind } from '#shared/witnesses/calibrate-blind.ts';
import { blindCalibrationKeyOf } from '#shared/witnesses/decide/blind-calibration.ts';
import { findKnownBlindCalibration } from '#shared/witnesses/decide/known-blind-calibrations.ts';
import { trainerModelIds } from '#trainer/embedded/models.ts';
import { blindPairs, readPreferences, Verdict } from './effect/blind-pairs.ts';
import { measureComparisons } from './effect/comparison-measure.ts';
import { COMPARISONS_REPORT, writeComparisonsReport } from './effect/comparison-report.ts';
import { COMPARED_MODEL } from './effect/comparison-service.ts';
import { describeGoals, GOALS_NOTE, goalsOf } from './effect/goals.ts';
import {
  describeBlindCalibration,
  describeLadder,
  describeVerified,
  ladderRowsOf,
  ladderRowsOfRegister,
  measureLadder,
  sampleRows,
  type VerifiedCount,
  verifyRows,
} from './effect/ladder.ts';
import { HALVES, loadRows } from './effect/load-rows.ts';
import {
  connectModels,
  type LabEndpoint,
  LOCAL_MODEL,
  localCalibrationOf,
  startLocalEndpoint,
} from './effect/models.ts';
import { PILOTS_REPORT, writePilotsReport } from './effect/pilot-report.ts';
import type { LabModels } from './effect/program.ts';
import { checkRatesOf, missingForRates, rateRefusal } from './effect/rates.ts';
import { recheck } from './effect/recheck.ts';
import { measureRegister, ownRegister, readRegister, treatTouched } from './effect/register.ts';
import { describeRegister, describeTreated } from './effect/register-report.ts';
import { titleOf, writeReport } from './effect/report.ts';
import {
  inputHash,
  judgingOf,
  type LabResults,
  type LabRun,
  openResults,
  readResults,
} from './effect/result.ts';
import { describeReviews, measureReview, REVIEW_COURSES } from './effect/review-intervals.ts';
import { KINDS, type LabRow } from './effect/row.ts';
import { runRows } from './effect/run-rows.ts';
import { SCRIPTS, scriptedModelId, startScriptedEndpoint } from './effect/scripted-answers.ts';
import { summarize } from './effect/summarize.ts';
import {
  describeIntervals,
  type IntervalMeasure,
  JudgedPair,
  measureIntervals,
} from './effect/verdict-intervals.ts';
import { openLocalEmbedder } from './effect/witnesses/local-embedder.ts';
import { describeWitnesses, measureWitnesses, type WitnessTable } from './effect/witnesses/table.ts';

const REPORTS = new URL('../docs/effect/', import.meta.url);
const RATES = new URL('../shared/judging/decide/known-check-rates.json', import.meta.url);

/** Verdicts that are drawn of the pairs. */
const VERDICTS = [60, 30];
/** Reviews whose grades are measured, of each course. */
const REVIEWS = 400;

/**
 * `npm run effect`: adapts rows with known right answers by the service's own code, and counts harmed and corrected
 * rows. `docs/effect.md` says how and what was found, and `docs/effect` has the reports.
 */
const USAGE = `Usage: npm run effect -- [options]
  --half held-out|development      rows to adapt (held-out)
  --kinds a,b                      only rows of these kinds
  --url URL --model ID             an OpenAI-compatible endpoint; without it models of this machine are served
  --judge-model ID                 the model itself where it is not given
  --embedding-model ID             none where it is not given
  --scripted ${SCRIPTS.join('|')}
                                   a scripted model that knows the rows, instead of one that thinks
  --context-tokens N               tokens that a request and its answer share (8192)
  --concurrency N                  rows in work at once (4)
  --results FILE                   JSON Lines; rows that are in it are not run again
  --no-run                         adapts nothing: reports what the file holds
  --report NAME                    writes docs/effect/NAME.md
  --record-rates                   writes how often the service's checks and edits are right, which its grades rest
                                   on, from a whole run of the half development by a model that is not scripted
  --export-pairs FILE              writes changed rows as blind pairs, JSON Lines
  --verdicts FILE                  JSON Lines {id, winner: first|second|tie} on such pairs, for the report
npm run effect -- pilot-simulation [--report ${PILOTS_REPORT}]
                                   simulates the decisions of pilots instead, without a model
npm run effect -- register [--own] FILE.jsonl… [--quotes] [--model ID [--url URL]] [--report NAME]
                                   says which rows {prompt, completion, right, set?} adapting would touch, without a
                                   model; --quotes quotes all of them; --model also says what that model makes of
                                   them, ${LOCAL_MODEL} without a URL; --own adds the rows of this laboratory
npm run effect -- witnesses FILE.jsonl… [--report NAME]
                                   says of which rows the witnesses that ask no model say that they are wrong: program,
                                   execution and neighbours, also where answers and labels were exchanged
npm run effect -- ladder [--half held-out|development] [--model ID [--url URL]] [--sample N] [FILE.jsonl…] [--report NAME]
                                   has scripted models that are right in 60 to 100 of 100 calls verify and correct rows:
                                   those of a half, or those {prompt, completion, right, reference?, set?} of files;
                                   --model has that model do it instead, as a witness that is measured before, on at
                                   most N rows of a set
npm run effect -- verdicts FILE.jsonl [--report NAME]
                                   how intervals of a win rate from 60 and 30 people's verdicts and a scripted judge's hold,
                                   on pairs {verdicts: [1 | 2 | 0]} whose better answer people know
npm run effect -- goals FILE.jsonl… --pairs FILE.jsonl [--report NAME]
                                   all of the last three in one table, against what is wanted: witnesses and scripted models
                                   on rows of files and of the half held-out, verdicts on the pairs
npm run effect -- comparisons [--report ${COMPARISONS_REPORT}]
                                   trains the local model on both sides of datasets whose better side is known
  MODEL_API_KEY in the environment is sent to the endpoint.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: 'string', default: 'held-out' },
    kinds: { type: 'string' },
    url: { type: 'string' },
    model: { type: 'string' },
    'judge-model': { type: 'string' },
    'embedding-model': { type: 'string' },
    scripted: { type: 'string' },
    sample: { type: 'string' },
    'context-tokens': { type: 'string', default: '8192' },
    concurrency: { type: 'string', default: '4' },
    results: { type: 'string' },
    report: { type: 'string' },
    'export-pairs': { type: 'string' },
    pairs: { type: 'string' },
    verdicts: { type: 'string' },
    'record-rates': { type: 'boolean', default: false },
    'no-run': { type: 'boolean', default: false },
    quotes: { type: 'boolean', default: false },
    own: { type: 'boolean', default: false },
  },
});

function refuse(problem: string): never {
  console.error(`${problem}\n\n${USAGE}`);
  process.exit(2);
}

function readCount(name: 'concurrency' | 'context-tokens' | 'sample'): number {
  const count = Number(values[name]);
  return Number.isInteger(count) && count > 0 ? count : refuse(`--${name} is no whole number above 0.`);
}

if (values.report !== undefined && !/^[a-z][a-z0-9-]*$/.test(values.report)) {
  refuse('--report takes a name of small letters, digits and hyphens.');
}
if (positionals[0] === 'register') {
  const name = values.report ?? 'register';
  await deliver(name, `# ${titleOf(name)}\n\n${await measuredRegister(positionals.slice(1))}`);
  process.exit();
}
if (positionals[0] === 'witnesses') {
  const name = values.report ?? 'witnesses';
  const measured = await measuredWitnesses(positionals.slice(1));
  await deliver(name, `# ${titleOf(name)}\n\n${describeWitnesses(measured)}`);
  process.exit();
}
if (positionals[0] === 'verdicts') {
  const name = values.report ?? 'verdicts';
  const measured = await measuredIntervals(positionals[1]);
  await deliver(name, `# ${titleOf(name)}\n\n${describeIntervals(measured)}`);
  process.exit();
}
if (positionals[0] === 'goals') {
  await deliver(values.report ?? 'goals', await measuredGoals(positionals.slice(1)));
  process.exit();
}
if (positionals[0] === 'ladder') {
  const name = values.report ?? 'ladder';
  await deliver(name, `# ${titleOf(name)}\n\n${await measuredLadder(positionals.slice(1))}`);
  process.exit();
}
if (positionals.length > 0) {
  const command = positionals.join(' ');
  const known = {
    'pilot-simulation': { name: PILOTS_REPORT, write: writePilotsReport },
    comparisons: { name: COMPARISONS_REPORT, write: measuredComparisons },
  }[command];
  if (known === undefined) refuse(`There is no command ${command}.`);
  const { name, write } = known;
  if (![undefined, name].includes(values.report)) refuse(`--report takes ${name} here.`);
  await deliver(name, await write());
  process.exit();
}
const half = HALVES.find((name) => name === values.half) ?? refuse(`There is no half ${values.half}.`);
const kinds = (values.kinds?.split(',') ?? [...KINDS]).map(
  (name) => KINDS.find((kind) => kind === name) ?? refuse(`There is no kind ${name}.`),
);
const concurrency = readCount('concurrency');
const contextTokensMax = readCount('context-tokens');
if ((values.url === undefined) !== (values.model === undefined)) refuse('--url and --model go together.');
if (values.scripted !== undefined && values.url !== undefined) refuse('--scripted takes no --url.');
const script =
  values.scripted === undefined
    ? null
    : (SCRIPTS.find((name) => name === values.scripted) ?? refuse(`There is no script ${values.scripted}.`));
const named = namedModels();
const resultsFile =
  values.results ??
  join(localDirectory, 'effect', `${half}-${named.model.replaceAll(/[^\w.-]+/g, '_')}.jsonl`);

const all = (await loadRows())[half];
const rows = all.filter(({ kind }) => kinds.includes(kind));
if (rows.length === 0) refuse(`The half ${half} has no rows of these kinds.`);
if (values['record-rates']) {
  const refusal = rateRefusal({ half, model: named.model });
  if (refusal !== null) refuse(refusal);
}
if (!values['no-run']) await run(rows);
await report(rows);

/** Trains and compares both sides of the datasets of comparisons, and writes what came of them. */
async function measuredComparisons(): Promise<string> {
  await setUpModels(trainerModelIds, createProgress());
  // The trainer's modules set up threads for their matrices as they are loaded.
  const { describeTrainer, loadModel } = await import('#trainer/embedded/load-model.ts');
  const measured = await measureComparisons({
    model: await loadModel(COMPARED_MODEL),
    trainer: await describeTrainer(),
    file: join(localDirectory, 'effect', 'comparisons', 'comparisons.jsonl'),
    onProgress: (text) => console.error(text),
  });
  return writeComparisonsReport(measured, COMPARED_MODEL);
}

/** What the witnesses that ask no model say of rows of files. */
async function measuredWitnesses(files: readonly string[]): Promise<WitnessTable> {
  if (files.length === 0) refuse('witnesses takes files of rows, JSON Lines.');
  await setUpModels([embeddingModelId], createProgress());
  return await measureWitnesses(await readRegister(files), await openLocalEmbedder());
}

/** How intervals from some verdicts on the pairs of a file hold. */
async function measuredIntervals(file: string | undefined): Promise<IntervalMeasure[]> {
  if (file === undefined) refuse('Name a file of pairs, JSON Lines.');
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  const pairs = lines.map((line) => JudgedPair.parse(JSON.parse(line)));
  return VERDICTS.flatMap((verdicts) => measureIntervals(pairs, verdicts));
}

/** All that is measured of doubts without a model that thinks, against what is wanted, and below it each table. */
async function measuredGoals(files: readonly string[]): Promise<string> {
  const intervals = await measuredIntervals(values.pairs);
  const witnesses = await measuredWitnesses(files);
  const own = await measureLadder(await ladderRowsOf((await loadRows())['held-out']));
  const ofFiles = await measureLadder(ladderRowsOfRegister(await readRegister(files)));
  const corrected = new Map<string, VerifiedCount>();
  for (const file of files) {
    const rows = ladderRowsOfRegister(await readRegister([file]));
    const [count] = await measureLadder(rows, 'correct', [1]);
    if (count !== undefined && count.wrong > 0) corrected.set(basename(file, '.jsonl'), count);
  }
  const reviews = REVIEW_COURSES.map((course) => measureReview(course, REVIEWS));
  const goals = goalsOf({ witnesses, ladders: { own, public: ofFiles }, corrected, intervals, reviews });
  return [
    ...['# What is wanted of doubts, and what was measured', describeGoals(goals), GOALS_NOTE],
    ...['## Witnesses that ask no model', describeWitnesses(witnesses)],
    ...['## Verification of held-out rows of our own', describeLadder(own)],
    ...['## Verification of the files', describeLadder(ofFiles)],
    ...['## Verdicts of people', describeIntervals(intervals)],
    ...['## Grades of reviews', describeReviews(reviews)],
  ].join('\n\n');
}

/** Writes what verification by each rung of the ladder does to rows. */
async function measuredLadder(files: readonly string[]): Promise<string> {
  const half = HALVES.find((name) => name === values.half) ?? refuse(`There is no half ${values.half}.`);
  const rows =
    files.length === 0
      ? await ladderRowsOf((await loadRows())[half])
      : ladderRowsOfRegister(await readRegister(files));
  if (values.model === undefined) return describeLadder(await measureLadder(rows));
  const sampled = values.sample === undefined ? rows : sampleRows(rows, readCount('sample'));
  return await withModels(values.model, 'ladder', async ({ answer: model }, asking) => {
    const weights = findLocalModel(model.modelId)?.weights.sha256;
    const known =
      weights === undefined ? null : findKnownBlindCalibration(blindCalibrationKeyOf(model.modelId), weights);
    const calibration = known ?? (await measureBlind(model, asking, newCallMeter()));
    const counts = [];
    for (const verification of ['flag', 'correct'] as const) {
      counts.push({
        verification,
        ...(await verifyRows(sampled, { model, calibration }, asking, verification)),
      });
    }
    const title = `${model.modelId} as a witness, measured on questions whose answers are known:`;
    return `${title}\n\n${describeBlindCalibration(calibration)}\n\nOf rows:\n\n${describeVerified(counts)}`;
  });
}

/** Writes which rows of files adapting would touch, and with a model what it makes of them. */
async function measuredRegister(files: readonly string[]): Promise<string> {
  if (files.length === 0 && !values.own) refuse('register takes files of rows, JSON Lines, or --own.');
  const own = values.own ? ownRegister(await loadRows()) : [];
  const datasets = new Map([...own, ...(await readRegister(files))]);
  const register = await measureRegister(datasets);
  const described = describeRegister(register, values.quotes);
  const { model } = values;
  if (model === undefined) return described;
  return await withModels(model, 'register', async (models, asking) => {
    const treated = await treatTouched(register, datasets, models, asking);
    return `${described}\n\n${describeTreated(treated, model)}`;
  });
}

/** Does something with the models of `--url`, or with those of this machine, which are served for as long. */
async function withModels<T>(
  model: string,
  command: string,
  use: (models: LabModels, asking: Asking) => Promise<T>,
): Promise<T> {
  const { url } = values;
  if (url === undefined && model !== LOCAL_MODEL) refuse(`--model without --url takes ${LOCAL_MODEL}.`);
  const workers = readCount('concurrency');
  const endpoint =
    url === undefined
      ? await startLocalEndpoint(workers)
      : {
          url,
          model,
          judgeModel: values['judge-model'] ?? model,
          embeddingModel: null,
          contextTokensMax: readCount('context-tokens'),
          stop: async () => undefined,
        };
  try {
    const { models, asking, close } = await connectModels(endpoint, {
      concurrency: workers,
      judgeFile: join(
        localDirectory,
        'effect',
        `${command}-${model.replaceAll(/[^\w.-]+/g, '_')}.judge.json`,
      ),
    });
    try {
      return await use(models, asking);
    } finally {
      await close();
    }
  } finally {
    await endpoint.stop();
  }
}

/** The configured models; their URL is null if this process or its child serves them. */
function namedModels() {
  const { url, model } = values;
  if (script !== null) return { url: null, model: scriptedModelId(script) };
  if (url === undefined || model === undefined) return { url: null, model: LOCAL_MODEL };
  const judgeModel = values['judge-model'] ?? model;
  return { url, model, judgeModel, embeddingModel: values['embedding-model'] ?? null };
}

async function startEndpoint(): Promise<LabEndpoint> {
  if (script !== null) return startScriptedEndpoint(script, all);
  if (named.url === null) return startLocalEndpoint(concurrency);
  return { ...named, contextTokensMax, stop: async () => undefined };
}

/** Adapts the rows that are not in the results file yet. */
async function run(wanted: readonly LabRow[]): Promise<void> {
  const held = await readResults(resultsFile);
  const isDone = (row: LabRow) => held.rows.get(row.id)?.input_hash === inputHash(row);
  const open = wanted.filter((row) => !isDone(row));
  if (open.length === 0) return;
  if (held.run !== null && (held.run.model !== named.model || held.run.half !== half)) {
    refuse(`${resultsFile} holds rows of ${held.run.half} by ${held.run.model}: name another file.`);
  }
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
      judge_trusted: models.calibration !== null && believedKinds(models.calibration).length > 0,
      judging: judgingOf(models.calibration),
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

/** Prints a report of the results file, and writes the requested outputs. */
async function report(wanted: readonly LabRow[]): Promise<void> {
  const held = await readResults(resultsFile);
  const results = await recheck(all, wanted, held.rows);
  const rates = values['record-rates'] ? await recordRates(held.run, results) : undefined;
  const summary = summarize([...results.values()], [...held.datasets.values()], rates);
  const { verdicts } = values;
  const preferences = verdicts === undefined ? null : readPreferences(await readVerdicts(verdicts), results);
  const pairsFile = values['export-pairs'];
  if (pairsFile !== undefined) {
    const lines = blindPairs(wanted, results).map((pair) => `${JSON.stringify(pair)}\n`);
    await writeFile(pairsFile, lines.join(''));
  }
  if (held.run === null) return;
  const name = values.report ?? half;
  await deliver(name, writeReport({ name, run: withJudging(held.run), summary, rows: wanted, preferences }));
}

/** Prints a report, or writes its file where one is asked for. */
async function deliver(name: string, text: string): Promise<void> {
  if (values.report === undefined) console.log(text);
  else await writeFile(new URL(`${name}.md`, REPORTS), `${text}\n`);
}

/** Writes the rates that the service's grades are based on; reports use them too. */
async function recordRates(made: LabRun | null, results: LabResults['rows']): Promise<CheckRates> {
  if (made === null) return refuse(`${resultsFile} holds no run.`);
  const refusal = rateRefusal(made) ?? missingForRates(all, results);
  if (refusal !== null) return refuse(refusal);
  const rates = checkRatesOf(made.model, [...results.values()]);
  await writeFile(RATES, `${JSON.stringify(rates, null, 2)}\n`);
  return rates;
}

/** A run with the known calibration of its judge, even if its file lacks it. */
function withJudging(made: LabRun): LabRun {
  if (made.judging !== undefined || made.judge === null) return made;
  return { ...made, judging: judgingOf(localCalibrationOf(made.judge)) };
}

async function readVerdicts(file: string): Promise<Verdict[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => Verdict.parse(JSON.parse(line)));
}
