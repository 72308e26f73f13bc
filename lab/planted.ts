import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type PlantedFault, plantedFaults } from './mutations/planted-faults.ts';
import { copyTree, whileBroken } from './mutations/replay.ts';

/**
 * `npm run test:planted`: plants one fault after another into a copy of the working tree, and runs simulations until one of them
 * breaks an invariant; with `--seeds 7,20-30` of those alone. Words select faults whose name or step holds one of them. Exits with 1 if a fault is not found, or if the
 * seed that shows it breaks the whole code too.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '10' }, seeds: { type: 'string', default: '1-100000' } },
});
const chosen = plantedFaults.filter(
  ({ name, step }) =>
    positionals.length === 0 || positionals.some((word) => `${step}: ${name}`.includes(word)),
);
if (chosen.length === 0) throw new Error(`There is no planted fault of ${positionals.join(' or ')}.`);

/** What the simulator says of the copy. */
async function simulated(copy: string, given: readonly string[]): Promise<string> {
  const program = ['--import', 'tsx', 'test/simulation/simulate.ts', ...given];
  const child = spawn(process.execPath, program, { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] });
  // A fault may have a simulation go on without end.
  const limit = setTimeout(() => child.kill('SIGKILL'), (Number(values.minutes) + 2) * 60_000);
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => said.push(String(part)));
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(limit);
  return said.join('');
}

interface Found {
  readonly seed: string;
  readonly invariant: string;
}

const brokenIn = (said: string): Found | null => {
  const [, seed, invariant] = /^seed (\d+): BROKEN: ([^;]+);/m.exec(said) ?? [];
  return seed === undefined || invariant === undefined ? null : { seed, invariant };
};

const soundSeeds = new Map<string, boolean>();

/** Whether the whole code breaks nothing with a seed: else the fault is not what the simulation has found. */
async function isSound(copy: string, seed: string): Promise<boolean> {
  const known = soundSeeds.get(seed);
  if (known !== undefined) return known;
  const isWhole = brokenIn(await simulated(copy, ['--seed', seed, '--no-shrink'])) === null;
  soundSeeds.set(seed, isWhole);
  return isWhole;
}

/** Plants a fault; says by what it was found, or null. */
async function plant(copy: string, fault: PlantedFault): Promise<string | null> {
  const began = performance.now();
  const said = await whileBroken(copy, fault, () =>
    simulated(copy, ['--seeds', values.seeds, '--minutes', values.minutes, '--until-broken', '--no-shrink']),
  );
  const seconds = Math.round((performance.now() - began) / 1000);
  const found = brokenIn(said);
  if (found === null) {
    console.log(`    ${said.trim().split('\n').at(-1)}`);
    return null;
  }
  if (!(await isSound(copy, found.seed))) {
    console.log(`    Seed ${found.seed} breaks the whole code: mend that first.`);
    return null;
  }
  return `${found.invariant} (seed ${found.seed}, ${seconds} s)`;
}

const copy = await copyTree();
let foundCount = 0;
try {
  for (const [n, fault] of chosen.entries()) {
    const found = await plant(copy, fault);
    if (found !== null) foundCount += 1;
    console.log(
      `${n + 1}/${chosen.length} ${found === null ? 'NOT FOUND' : 'found'}  ${fault.step}: ${fault.name}${found === null ? '' : `: ${found}`}`,
    );
  }
} finally {
  await rm(copy, { recursive: true, force: true });
}
console.log(`\n${foundCount} of ${chosen.length} planted faults were found.`);
process.exitCode = foundCount === chosen.length ? 0 : 1;
