import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { STARTER_POOL } from '#bin/pool-file.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';
import { arithmeticRows } from './starter-pool/arithmetic.ts';
import { calendarRows } from './starter-pool/calendar.ts';
import { computingRows } from './starter-pool/computing.ts';
import type { StarterRow } from './starter-pool/row.ts';
import { unitRows } from './starter-pool/units.ts';
import { selectVaried } from './starter-pool/variety.ts';
import { worldRows } from './starter-pool/world.ts';

/** `tsx lab/starter-pool.ts` writes the pool that is part of the project; `--check` compares it. */
const PARTS = { arithmeticRows, calendarRows, worldRows, unitRows, computingRows } as const;

/** Rows that were written by hand, each on a subject of its own. */
const WRITTEN = new URL('starter-pool/written.jsonl', import.meta.url);
export const WRITTEN_SOURCE = 'written for this project';

function writtenRows(): StarterRow[] {
  const lines = readFileSync(WRITTEN, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const { topic, ...row } = JSON.parse(line) as Omit<StarterRow, 'source'>;
    return { topic, source: WRITTEN_SOURCE, ...row };
  });
}

/**
 * Some rows of each kind whose answers are computed or looked up, the same every time, and those that were written by
 * hand. Few are alike: of many rows of one kind, a model learns little more than of some.
 */
export function starterRows(): StarterRow[] {
  const random = seededRandom('starter pool: order');
  // Tables are in the order of their codes: of countries, for one, the first would always be taken.
  const computed = Object.entries(PARTS).flatMap(([name, make]) =>
    make(seededRandom(`starter pool: ${name}`))
      .map((row) => ({ row, place: random() }))
      .sort((a, b) => a.place - b.place)
      .map(({ row }) => row),
  );
  return selectVaried([...computed, ...writtenRows()]);
}

export const starterPoolText = (): string =>
  starterRows()
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = starterPoolText();
  if (!process.argv.includes('--check')) writeFileSync(STARTER_POOL, text);
  else if (readFileSync(STARTER_POOL, 'utf8') !== text) {
    console.error('examples/data/starter-pool.jsonl is not what lab/starter-pool.ts writes. Run it anew.');
    process.exitCode = 1;
  }
}
