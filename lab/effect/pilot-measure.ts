import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { type ServiceClient, settled, uploadFile } from '#bin/service-client.ts';
import { PilotRows } from '#shared/pilots/decide/state.ts';
import type { PilotArm } from '#shared/pilots/schema/arm.ts';
import { Pilot, type PilotLaunch } from '#shared/pilots/schema/pilot.ts';
import { readJson, readLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { sampleRows } from '#shared/runs/decide/sample-rows.ts';
import { RunResult } from '#shared/runs/schema/run-result.ts';
import { checkAnswer } from './check-answer.ts';
import type { Kind, LabRow } from './row.ts';

/** The datasets that pilots are measured on, by the kinds of rows that they hold. */
export const PILOT_DATASETS: Readonly<
  Record<string, { readonly kinds: readonly Kind[]; readonly says: string }>
> = {
  careless: {
    kinds: ['open_careless', 'damaged', 'wrong_fact'],
    says: 'careless, damaged and false answers',
  },
  sound: {
    kinds: ['open_good', 'label', 'number', 'json', 'choice', 'yes_no'],
    says: 'good answers, most of them short and in a fixed form',
  },
  mixed: {
    kinds: [
      'open_careless',
      'open_good',
      'arithmetic',
      'code',
      'extraction',
      'label',
      'translation',
      'table',
    ],
    says: 'answers of all kinds, good and bad',
  },
};

const ROWS = 60;
const SAMPLE_ROWS = 30;
const MAPPING = { prompt: 'prompt', completion: 'completion' };
const ARMS: readonly PilotArm[] = [
  { name: 'Default' },
  { name: 'Prompts as they are', recipe_specification: { recipes: { prompt_rephrase: false } } },
  {
    name: 'Detailed answers',
    recipe_specification: { recipes: { prompt_rephrase: false } },
    brand_controls: { length: 'detailed' },
  },
];

/** What a checker that the service does not know says of a row: right before and after. */
const Witnessed = z.object({
  id: z.string(),
  outcome: z.string(),
  before: z.boolean(),
  after: z.boolean(),
  original: z.string(),
  adapted: z.string(),
});
export type Witnessed = z.infer<typeof Witnessed>;

export const MeasuredPilot = z.object({
  dataset: z.string(),
  seconds: z.number(),
  pilot: Pilot,
  /** By arm, the rows that it has done. */
  witnessed: z.array(z.array(Witnessed)),
});
export type MeasuredPilot = z.infer<typeof MeasuredPilot>;

export interface PilotLab {
  readonly client: ServiceClient;
  readonly objects: ObjectStore;
  readonly rows: readonly LabRow[];
  /** Folder of the results: a dataset whose result is there is not measured again. */
  readonly folder: string;
}

/** Runs a pilot for each dataset on the running service, and checks every row of every arm against its known answer. */
export async function measurePilots(lab: PilotLab): Promise<MeasuredPilot[]> {
  await mkdir(lab.folder, { recursive: true });
  const measured: MeasuredPilot[] = [];
  for (const name of Object.keys(PILOT_DATASETS)) {
    const file = join(lab.folder, `${name}.json`);
    const kept = await readFile(file, 'utf8').catch(() => null);
    const result = kept === null ? await measure(lab, name) : MeasuredPilot.parse(JSON.parse(kept));
    if (kept === null) await writeFile(file, JSON.stringify(result, null, 1));
    measured.push(result);
  }
  return measured;
}

function rowsOf(rows: readonly LabRow[], name: string): LabRow[] {
  const kinds = new Set(PILOT_DATASETS[name]?.kinds);
  // Good answers only, where the dataset is to hold no others.
  const fitting = rows.filter(
    ({ kind, quality }) => kinds.has(kind) && (name !== 'sound' || quality === 'good'),
  );
  return sampleRows(fitting.length, ROWS, `pilot ${name}`).flatMap((place) => fitting[place] ?? []);
}

async function measure(lab: PilotLab, name: string): Promise<MeasuredPilot> {
  const { client, objects, folder } = lab;
  const rows = rowsOf(lab.rows, name);
  const path = join(folder, `${name}.jsonl`);
  await writeFile(
    path,
    rows.map(({ prompt, completion }) => `${JSON.stringify({ prompt, completion })}\n`).join(''),
  );
  const dataset = await uploadFile(client, path);
  await settled(client, dataset, ['pending']);
  const started = performance.now();
  const { pilot_id: id } = await client.json<PilotLaunch>('POST', `/datasets/${dataset}/pilots`, {
    column_mapping: MAPPING,
    arms: ARMS,
    sample_rows: Math.min(SAMPLE_ROWS, rows.length),
  });
  if (id === null) throw new Error('The pilot was not started.');
  let pilot = await client.json<Pilot>('GET', `/datasets/${dataset}/pilots/${id}`);
  while (pilot.status === 'running') {
    await sleep(5000);
    pilot = await client.json<Pilot>('GET', `/datasets/${dataset}/pilots/${id}`);
    console.log(`${name}: ${pilot.progress.rows_done} of ${pilot.progress.rows_total} rows`);
  }
  const { rows: places } = await readJson(objects, objectKeys.pilotRows(id), PilotRows);
  const sampled = new Map(places.map((place) => [place, rows[place]]));
  const witnessed: Witnessed[][] = [];
  for (const { arm } of pilot.arms) {
    const lines = await readLines(objects, objectKeys.pilotResults(id, arm));
    witnessed.push(await witness(lines, sampled));
  }
  return { dataset: name, seconds: (performance.now() - started) / 1000, pilot, witnessed };
}

/** Checks the delivered rows of an arm against their known answers. */
async function witness(
  lines: readonly string[],
  sampled: ReadonlyMap<number, LabRow | undefined>,
): Promise<Witnessed[]> {
  const rows: Witnessed[] = [];
  for (const line of lines) {
    const { row, outcome, cells } = RunResult.parse(JSON.parse(line));
    const known = sampled.get(row);
    if (known === undefined) throw new Error(`Row ${row} is not in the sample.`);
    const adapted = cells?.enhanced_completion ?? '';
    rows.push({
      id: known.id,
      outcome,
      before: (await checkAnswer(known.check, known.completion)).ok && known.quality === 'good',
      after: (await checkAnswer(known.check, adapted)).ok && !isStillBad(known, adapted),
      original: known.completion,
      adapted,
    });
  }
  return rows;
}

/** An unchanged answer that is careless or cut off passes some checks all the same. */
function isStillBad({ quality, completion }: LabRow, adapted: string): boolean {
  return quality !== 'good' && adapted.trim() === completion.trim();
}
