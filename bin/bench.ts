import { parseArgs } from 'node:util';
import { benchCombine } from './bench/combine.ts';
import { benchDatasetSearch } from './bench/dataset-search.ts';
import { benchDuplicates } from './bench/duplicates.ts';
import { benchEffort, type Effort } from './bench/effort.ts';
import { benchExpansion } from './bench/expansion.ts';
import { benchImports } from './bench/imports.ts';
import { benchIngest } from './bench/ingest.ts';
import { benchLocalModel } from './bench/local-model.ts';
import { describeParts } from './bench/parts.ts';
import { benchPoolSearch } from './bench/pool-search.ts';
import { benchRespond } from './bench/respond.ts';
import type { BenchResult } from './bench/result.ts';
import { benchRows } from './bench/rows.ts';
import { benchStorm } from './bench/storm.ts';
import { benchTrainingData } from './bench/training-data.ts';

/**
 * `npm run bench`: throughput of the service, next to bounds and peers measured in the same run if possible: ratios are
 * comparable between machines, seconds are not. `-- --quick` takes fewer and smaller runs.
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });

const round = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1));

/** `recorded` are figures of peers that were measured elsewhere, on two similar cores. */
function print(result: BenchResult, recorded?: string): void {
  const { name, value, unit, bound, ratio, runs, peers, processorMicroseconds, parts = [] } = result;
  console.log(`\n${name}: ${round(value)} ${unit}   (runs ${runs.map(round).join(', ')})`);
  console.log(`  ${ratio.toFixed(2)} × ${bound.name} (${round(bound.value)} ${unit})`);
  for (const peer of peers) {
    console.log(`  ${(value / peer.value).toFixed(2)} × ${peer.name} (${round(peer.value)} ${unit})`);
  }
  if (processorMicroseconds !== undefined) console.log(`  ${describeParts(processorMicroseconds, parts)}`);
  if (recorded !== undefined) console.log(`  recorded elsewhere: ${recorded}`);
}

print(
  await benchRows(values.quick ? { rows: 5000, repetitions: 3 } : {}),
  'Bespoke Curator 490 to 580, NeMo Data Designer 217 to 255, distilabel 103 to 142 rows/s',
);
print(
  await benchRows({
    latencyMilliseconds: 200,
    concurrency: 500,
    ...(values.quick ? { rows: 10_000, repetitions: 3 } : { rows: 40_000, repetitions: 3 }),
  }),
  'ceiling 2,500; Bespoke Curator 466, NeMo Data Designer 132, distilabel 64 rows/s',
);

const effort = await benchEffort();
const said = ({ rows, calls, inputTokens, outputTokens }: Effort): string =>
  `${calls.toFixed(2)} calls, ${Math.round(inputTokens)} tokens in, ${Math.round(outputTokens)} out (${rows} rows)`;
console.log(`\nModel calls a row, a model that is always right: ${said(effort.mixed)}`);
console.log(`  rows that it changed: ${said(effort.changed)}; bound 1 call`);
print(await benchLocalModel());

const storm = await benchStorm(values.quick ? { stormSeconds: 20 } : {});
console.log(
  `\n429 to every second call: ${storm.changed} of ${storm.rows} rows done; answers a second ` +
    `${storm.before} before, ${storm.during} during, ${storm.after} after; ` +
    (storm.recoverySeconds === null
      ? 'never back at 90 %'
      : `back at 90 % within ${storm.recoverySeconds} s of its end`),
);
console.log('  recorded elsewhere: users of NeMo Data Designer report a stall to zero records');

print(
  await benchDuplicates(values.quick ? { rows: 20_000, repetitions: 3 } : {}),
  'datasketch 2.0.0 with 128 permutations 3,900 to 4,300 signed, 3,500 signed and compared, rows/s',
);
for (const result of await benchPoolSearch(values.quick ? { rows: 100_000 } : {})) print(result);
const searched = await benchDatasetSearch(values.quick ? { rows: 20_000, repetitions: 3 } : {});
for (const result of searched.results) print(result);
console.log(`  ${searched.note}`);
print(await benchIngest(values.quick ? { fileBytes: 50_000_000, runs: 3 } : {}));
print(await benchCombine(values.quick ? { rows: 20_000 } : {}));

const expansion = await benchExpansion(values.quick ? { rows: 5000 } : {});
print(expansion);
console.log(
  `  ${expansion.madeRows} rows; a worker makes at most ${expansion.chunkRowsMax} and reads at most ` +
    `${Math.round(expansion.chunkBytesMax / 1000)} KB; memory of taking the source, of the workers, of assembling above`,
);

const answers = await benchRespond(values.quick ? { repetitions: 10 } : {});
console.log(
  `\nAnswers: the first word ${(answers.service.first - answers.direct.first).toFixed(1)} ms after the model's own ` +
    `(${answers.direct.first.toFixed(0)} ms), the whole ${(answers.service.whole / answers.direct.whole).toFixed(3)} × ` +
    `its time (${answers.direct.whole.toFixed(0)} ms); medians`,
);
console.log(
  `  ${answers.streams} at once: ${answers.intact} with every word once and in order, the last after ` +
    `${(answers.togetherMilliseconds / 1000).toFixed(1)} s`,
);

console.log('\nImport of an API function in an idle process (median of nine)');
for (const { id, milliseconds, bareMilliseconds, bytes } of await benchImports()) {
  const ratio = (milliseconds / bareMilliseconds).toFixed(2);
  const size = `${Math.round(bytes / 1000)} KB`;
  console.log(
    `  ${id.padEnd(40)} ${milliseconds.toFixed(0).padStart(4)} ms  ${ratio} × its SDK clients alone  ${size}`,
  );
}
const prepared = await benchTrainingData(values.quick ? { rows: 100_000 } : {});
print(prepared.result);
console.log(
  `  ${prepared.mebibytes.toFixed(0)} MiB more than before at most; hyperparameters recommended in ` +
    `${prepared.recommendMilliseconds.toFixed(0)} ms`,
);
// Imports packages of the local model server, which an earlier part of the benchmark installs.
const { benchTraining } = await import('./bench/training.ts');
print(await benchTraining(values.quick ? { steps: 3 } : {}));
