import { parseArgs } from 'node:util';
import type { Size } from './bench/benchmark.ts';
import { benchmarks } from './bench/benchmarks.ts';
import { type Measured, measuredOf, tableOf, worksBelowFloor } from './bench/table.ts';

/**
 * `npm run bench`: the speed of the service, next to bounds and peers that are measured in the same run: ratios are
 * comparable between machines, seconds are not. It ends with a table of all figures and their goals. Arguments are names
 * of benchmarks to run, instead of all. `--quick` takes fewer and smaller runs, and so does `--floors`, which fails if a
 * ratio is worse than the floor of its goal twice in a row.
 */
const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, floors: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => benchmarks.every((each) => each.name !== name));
if (unknown.length > 0) {
  console.log(
    `There is no benchmark ${unknown.join(' or ')}: name some of ${benchmarks.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}
const size: Size = values.quick || values.floors ? 'quick' : 'full';
const chosen = benchmarks.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

const measured: Measured[] = [];
for (const each of chosen) {
  let figures = measuredOf(each, await each.run(size));
  // A machine is slower by a tenth or two for a while: what is below its floor is so twice.
  if (values.floors && worksBelowFloor(figures).length > 0) figures = measuredOf(each, await each.run(size));
  for (const { goal, figure } of figures) {
    console.log(`\n${goal.work}: ${figure.figure}`);
    for (const detail of figure.details) console.log(`  ${detail}`);
  }
  measured.push(...figures);
}
console.log(`\n${tableOf(measured)}`);

const below = worksBelowFloor(measured);
if (values.floors && below.length > 0) {
  console.log(`\nBelow the floor: ${below.join('; ')}.`);
  process.exit(1);
}
// Threads that a benchmark has started for its kernels keep the process alive.
process.exit(0);
