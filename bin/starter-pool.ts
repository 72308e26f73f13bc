import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DuplicateIndex } from '#shared/domain/deduplication/duplicate-index.ts';
import { RECORD_WORDS, Signer } from '#shared/domain/deduplication/signature.ts';
import { seededRandom } from '#shared/domain/evaluation/sample-rows.ts';
import { arithmeticRows } from './starter-pool/arithmetic.ts';
import { calendarRows } from './starter-pool/calendar.ts';
import { computingRows } from './starter-pool/computing.ts';
import type { StarterRow } from './starter-pool/row.ts';
import { unitRows } from './starter-pool/units.ts';
import { worldRows } from './starter-pool/world.ts';

/** `tsx bin/starter-pool.ts` writes the pool that comes with the project; `--check` compares it. */
export const STARTER_POOL = new URL('../examples/data/starter-pool.jsonl', import.meta.url);

const PARTS = { arithmeticRows, calendarRows, worldRows, unitRows, computingRows } as const;

/** Rows whose answers are computed or looked up, the same every time; none nearly repeats another. */
export function starterRows(): StarterRow[] {
  const rows = Object.entries(PARTS).flatMap(([name, make]) => make(seededRandom(`starter pool: ${name}`)));
  const index = new DuplicateIndex(rows.length);
  const signer = new Signer();
  return rows.filter(({ prompt }, row) => {
    const record = new Uint32Array(RECORD_WORDS);
    signer.sign({ identity: prompt, prompt, context: '', image: null }, record, 0);
    return index.add(row, record, 0) === null;
  });
}

export const starterPoolText = (): string =>
  starterRows()
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = starterPoolText();
  if (!process.argv.includes('--check')) writeFileSync(STARTER_POOL, text);
  else if (readFileSync(STARTER_POOL, 'utf8') !== text) {
    console.error('examples/data/starter-pool.jsonl is not what bin/starter-pool.ts writes. Run it anew.');
    process.exitCode = 1;
  }
}
