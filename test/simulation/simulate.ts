import './quiet.ts';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { FAULT_KINDS } from './faults.ts';
import { patchGlobals } from './patch-globals.ts';
import { shrink } from './shrink.ts';
import { type SimulationOptions, type SimulationResult, simulate } from './simulation.ts';
import { PEOPLE_KINDS } from './swarm.ts';

const USAGE = `Simulates the whole service in one process: callers, functions, state machines and failing services of AWS.

npm run simulate -- --seed N        one simulation, and its story if it breaks an invariant
npm run simulate -- --seeds N-M,K   one for each seed
npm run simulate -- --minutes M     as many as M minutes take, from --seed on (default: 1)
npm run simulate -- --replay FILE   one that was saved because it broke an invariant

--people P has at most P people of each kind in a team; --story prints the story in any case; --no-shrink leaves a failing simulation as it is;
--until-broken ends with the first simulation that breaks an invariant.
A failing one is made smaller and saved below .local/simulations. The command ends with 1 if an invariant was broken.`;

const SHRINKING_TRIES_MAX = 60;
const FOLDER = '.local/simulations';

interface Saved extends Omit<SimulationOptions, 'skipped' | 'without'> {
  readonly without: readonly string[];
  readonly skipped: readonly number[];
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string' },
    minutes: { type: 'string' },
    replay: { type: 'string' },
    people: { type: 'string' },
    story: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: true },
    'until-broken': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
  allowNegative: true,
});
const realNow = performance.now.bind(performance);
const realTime = Date.now;
const globals = patchGlobals();

const clockTime = (ms: number): string => new Date(ms).toISOString().slice(5, 23).replace('T', ' ');

function tellStory({ story, faults }: SimulationResult): void {
  for (const { atMs, step, text } of story) console.log(`${clockTime(atMs)}  step ${step}  ${text}`);
  console.log(`${faults.length} faults struck.`);
}

async function run(options: SimulationOptions): Promise<SimulationResult> {
  const began = realNow();
  const result = await simulate(globals, options);
  const { violation, steps, points, faults, answers, virtualMs, fingerprint } = result;
  const seconds = ((realNow() - began) / 1000).toFixed(1);
  console.log(
    `seed ${options.seed}: ${violation === null ? 'sound' : `BROKEN: ${violation.invariant}`}; ${steps} steps, ${points} fault points, ${faults.length} faults, ${answers} answers, ${(virtualMs / 3_600_000).toFixed(1)} hours in ${seconds} s, fingerprint ${fingerprint}`,
  );
  if (values.story) tellStory(result);
  return result;
}

async function explain(options: SimulationOptions, result: SimulationResult): Promise<void> {
  const shrunk = values.shrink
    ? await shrink(globals, result, options, SHRINKING_TRIES_MAX)
    : { options, result, tried: 0 };
  if (!values.story) tellStory(shrunk.result);
  const { without = [], skipped = new Set<number>(), ...others } = shrunk.options;
  const saved: Saved = { ...others, without, skipped: [...skipped] };
  mkdirSync(FOLDER, { recursive: true });
  const file = `${FOLDER}/seed-${options.seed}.json`;
  writeFileSync(file, `${JSON.stringify(saved, null, 2)}\n`);
  console.log(`BROKEN: ${shrunk.result.violation?.invariant}: ${shrunk.result.violation?.seen}`);
  console.log(
    `Replay it, as it is after ${shrunk.tried} attempts to make it smaller: npm run simulate -- --replay ${file}`,
  );
}

function readSaved(file: string): SimulationOptions {
  const { without, skipped, ...others } = JSON.parse(readFileSync(file, 'utf8')) as Saved;
  const known: readonly string[] = [...FAULT_KINDS, ...PEOPLE_KINDS];
  const unknown = without.filter((kind) => !known.includes(kind));
  if (unknown.length > 0)
    throw new Error(`There are no faults, and no people, of the kind ${unknown.join(', ')}.`);
  return { ...others, without, skipped: new Set(skipped) };
}

/** The simulations that were asked for. */
function* wanted(): Generator<SimulationOptions> {
  if (values.replay !== undefined) {
    yield readSaved(values.replay);
    return;
  }
  const untilMs = values.minutes === undefined ? null : realTime() + Number(values.minutes) * 60_000;
  for (const range of (values.seeds ?? values.seed).split(',')) {
    const [first = 1, last = values.seeds === undefined && untilMs !== null ? Infinity : first] = range
      .split('-')
      .map(Number);
    if (Number.isNaN(first) || Number.isNaN(last)) throw new Error(USAGE);
    for (let seed = first; seed <= last && (untilMs === null || realTime() < untilMs); seed += 1)
      yield { seed, ...(values.people === undefined ? {} : { people: Number(values.people) }) };
  }
}

if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const totals = { simulations: 0, broken: 0, teamDays: 0, points: 0, faults: 0 };
const begun = realNow();
for (const options of wanted()) {
  const result = await run(options);
  totals.simulations += 1;
  totals.teamDays += (result.teams * result.virtualMs) / 86_400_000;
  totals.points += result.points;
  totals.faults += result.faults.length;
  if (result.violation === null) continue;
  totals.broken += 1;
  await explain(options, result);
  if (values['until-broken']) break;
}
const hours = (realNow() - begun) / 3_600_000;
console.log(
  `${totals.simulations} simulations, ${totals.broken} broken; ${totals.teamDays.toFixed(1)} team-days (${Math.round(totals.teamDays / hours)} an hour), ${totals.points} fault points, ${totals.faults} faults.`,
);
process.exit(totals.broken === 0 ? 0 : 1);
