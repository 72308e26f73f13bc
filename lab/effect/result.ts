import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { isBelieved, type JudgeCalibration } from '#shared/judging/decide/calibration.ts';
import { PairKind } from '#shared/runs/schema/pair-kind.ts';
import { RowChecks } from '#shared/runs/schema/row-score.ts';
import { AnswerEdit } from '#shared/runs/schema/run-result.ts';
import { KINDS, type LabRow, Quality } from './row.ts';

const Spent = {
  calls: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  /** Sum of the durations of the calls. */
  seconds: z.number(),
};

/** The outcome of a row. */
export const LabResult = z.object({
  type: z.literal('row'),
  id: z.string(),
  kind: z.enum(KINDS),
  quality: Quality,
  /** Hash of the row's input: an edited row has to run again. */
  input_hash: z.string(),
  original: z.string(),
  adapted: z.string(),
  outcome: z.enum(['changed', 'kept', 'failed']),
  /** Code of the reason why it is unchanged. */
  reason: z.string().nullable(),
  notes: z.array(z.string()),
  /** The edit of the completion; null if there was none, absent from older files. */
  edit: AnswerEdit.nullable().optional(),
  /** The defect of the original by the service's checks; absent if not checked. */
  defect: z.string().nullable().optional(),
  /** The row's input of an evaluation; null if the evaluation excludes the row. */
  checks: RowChecks.nullable().optional(),
  ...Spent,
  before_ok: z.boolean(),
  after_ok: z.boolean(),
  /** Why the checker rejects the adapted answer. */
  why: z.string(),
});
export type LabResult = z.infer<typeof LabResult>;

/** Usage for learning a whole dataset. */
const LabDataset = z.object({ type: z.literal('dataset'), dataset: z.string(), ...Spent });
export type LabDataset = z.infer<typeof LabDataset>;

const Right = { pairs: z.int(), accuracy: z.number(), accuracy_low: z.number() };

/** Accuracy of a judge on pairs with a known better answer, and the kinds that it is trusted for. */
const Judging = z.object({
  ...Right,
  kinds: z.record(z.string(), z.object({ ...Right, believed: z.boolean() })),
});
export type Judging = z.infer<typeof Judging>;

export function judgingOf(calibration: JudgeCalibration | null): Judging | null {
  if (calibration === null) return null;
  const { pairs, accuracy, accuracy_low } = calibration.pairs;
  const kinds = Object.entries(calibration.kinds).map(([kind, figures]) => [
    kind,
    {
      pairs: figures.pairs,
      accuracy: figures.accuracy,
      accuracy_low: figures.accuracy_low,
      believed: isBelieved(calibration, PairKind.parse(kind)),
    },
  ]);
  return { pairs, accuracy, accuracy_low, kinds: Object.fromEntries(kinds) };
}

/** The configuration of a results file. */
const LabRun = z.object({
  type: z.literal('run'),
  half: z.string(),
  model: z.string(),
  judge: z.string().nullable(),
  judge_trusted: z.boolean(),
  /** Null without a calibration, absent from older files. */
  judging: Judging.nullable().optional(),
  embedding_model: z.string().nullable(),
});
export type LabRun = z.infer<typeof LabRun>;

const Line = z.discriminatedUnion('type', [LabResult, LabDataset, LabRun]);

/** The content of a results file; the last line of a row or dataset counts. */
export interface LabResults {
  readonly run: LabRun | null;
  readonly datasets: Map<string, LabDataset>;
  readonly rows: Map<string, LabResult>;
}

/** Reads a results file, which may not exist yet, or end in an incomplete line after an interrupted run. */
export async function readResults(file: string): Promise<LabResults> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const found: LabResults & { run: LabRun | null } = { run: null, datasets: new Map(), rows: new Map() };
  for (const line of text.split('\n')) {
    const parsed = Line.safeParse(parseJson(line));
    if (parsed.data?.type === 'run') found.run = parsed.data;
    if (parsed.data?.type === 'dataset') found.datasets.set(parsed.data.dataset, parsed.data);
    if (parsed.data?.type === 'row') found.rows.set(parsed.data.id, parsed.data);
  }
  return found;
}

/** Appends lines to a results file. */
export async function openResults(file: string): Promise<(line: z.infer<typeof Line>) => Promise<void>> {
  await mkdir(dirname(file), { recursive: true });
  const held = await readFile(file).catch(() => Buffer.alloc(0));
  // An interrupted run may have left an incomplete line.
  if (held.length > 0 && held.at(-1) !== 0x0a) await appendFile(file, '\n');
  return (line) => appendFile(file, `${JSON.stringify(line)}\n`);
}

export function inputHash({ prompt, history, context, completion }: LabRow): string {
  return createHash('sha256')
    .update(JSON.stringify([prompt, history ?? null, context ?? null, completion]))
    .digest('hex')
    .slice(0, 16);
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
