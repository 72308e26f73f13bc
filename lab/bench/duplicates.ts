import { findDuplicates } from '#shared/adaptation/find-duplicates.ts';
import { signChunk } from '#shared/adaptation/sign-chunk.ts';
import { PERMUTATIONS } from '#shared/answers/decide/deduplication/signature.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { seededRandom } from '#shared/runs/decide/sample-rows.ts';
import type { BatchPlan } from '#shared/runs/schema/run-context.ts';
import { CHUNK_ROWS_MAX } from '#shared/tabular/decide/limits.ts';
import { median } from './median.ts';
import { type BenchResult, resultOf } from './result.ts';
import { rowsPerSecond, SPECIFICATION } from './row-worker.ts';

/** Share of rows that repeat an earlier one with a few other words. */
const NEAR_SHARE = 0.1;

/**
 * Rows a second, on one core, for signing and comparing in a deduplication: texts of 60 to 140 words, objects in
 * memory. Fails if it does not find the planted near-duplicates.
 */
export async function benchDuplicates({ rows = 50_000, repetitions = 5 } = {}): Promise<BenchResult> {
  const { objects, chunks, context } = prepare(rows);
  const whole: number[] = [];
  const bare: number[] = [];
  for (let n = 0; n < repetitions; n += 1) {
    bare.push(await rowsPerSecond(rows, async () => findBareMinima(rows)));
    whole.push(
      await rowsPerSecond(rows, async () => {
        for (const chunk of chunks) await signChunk(objects, chunk);
        const { duplicates } = await findDuplicates(objects, context);
        if (Math.abs(duplicates - rows * NEAR_SHARE) > rows * 0.02) {
          throw new Error(`The bench planted ${rows * NEAR_SHARE} near-duplicates and got ${duplicates}.`);
        }
      }),
    );
  }
  return resultOf({
    name: `near-duplicates of ${rows} rows of 100 words, on one core`,
    unit: 'rows/s',
    bound: { name: `the ${PERMUTATIONS} minima of ready hashes alone`, value: median(bare) },
    runs: whole,
  });
}

function prepare(rows: number) {
  const contents = new Map<string, Buffer>();
  const objects = {
    read: async (key: string) => contents.get(key) ?? null,
    write: async (key: string, body: Buffer | string) => void contents.set(key, Buffer.from(body)),
  };
  const context = { run_id: 'bench', dataset_id: 'bench', team_id: 'bench' };
  const specification = { ...SPECIFICATION, deduplication: true };
  const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
  contents.set(objectKeys.runRequest(context.run_id), json({ request: {}, specification }));

  const texts = makeTexts(rows);
  const chunks: BatchPlan[] = [];
  for (let first = 0; first < rows; first += CHUNK_ROWS_MAX) {
    const key = objectKeys.rows(context.dataset_id, chunks.length);
    const own = texts.slice(first, first + CHUNK_ROWS_MAX);
    const lines = own.map((prompt, n) => JSON.stringify({ id: first + n, prompt, completion: 'Do it.' }));
    contents.set(key, Buffer.from(`${lines.join('\n')}\n`));
    const place = { n: chunks.length, chunk_key: key, first_line: 0, first_row: first };
    chunks.push({ ...context, ...place, row_count: own.length, selected: null });
  }
  const plan = Buffer.from(chunks.map((chunk) => `${JSON.stringify(chunk)}\n`).join(''));
  contents.set(objectKeys.plan(context.run_id), plan);
  contents.set(objectKeys.signaturePlan(context.run_id), plan);
  return { objects, chunks, context };
}

/** Words have an uneven distribution, as in natural language. */
function makeTexts(rows: number): string[] {
  const random = seededRandom('bench');
  const texts: string[][] = [];
  const originals = rows * (1 - NEAR_SHARE);
  for (let n = 0; n < rows; n += 1) {
    const near = n < originals ? undefined : texts[Math.floor(random() * originals)];
    texts.push(
      near === undefined
        ? Array.from(
            { length: 60 + Math.floor(random() * 80) },
            () => `word${Math.floor(20_000 * random() ** 2)}`,
          )
        : near.with(Math.floor(random() * 5), 'another'),
    );
  }
  return texts.map((words) => words.join(' '));
}

/** The minimum work of any signature: a multiplication, an addition and a comparison for each shingle and minimum. */
function findBareMinima(rows: number): void {
  const hashes = Int32Array.from({ length: 96 }, (_, n) => Math.imul(n + 1, 0x9e3779b1));
  let sum = 0;
  for (let row = 0; row < rows; row += 1) {
    for (let n = 0; n < PERMUTATIONS; n += 1) {
      const factor = (n * 2 + 1 + row) | 1;
      let minimum = 0x7fffffff;
      for (let k = 0; k < hashes.length; k += 1) {
        const value = (Math.imul(hashes[k] as number, factor) + n) | 0;
        if (value < minimum) minimum = value;
      }
      sum = (sum + minimum) | 0;
    }
  }
  if (sum === 0.5) throw new Error('The sum of whole numbers is none.');
}
