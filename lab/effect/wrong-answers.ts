import { createHash } from 'node:crypto';
import { checkAnswer } from './check-answer.ts';
import { datasetsOf } from './load-rows.ts';
import type { LabRow } from './row.ts';

/** A deterministic hash of a text. */
export function hashOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}

/** Whether a model that is wrong about one row in five is wrong about this one. */
function isPicked({ id }: LabRow): boolean {
  return hashOf(id) % 5 === 0;
}

/** A well-formed wrong answer to each row that a confidently wrong model gets wrong, by id. */
export async function wrongAnswers(rows: readonly LabRow[]): Promise<Map<string, string>> {
  const wrong = new Map<string, string>();
  for (const members of datasetsOf(rows).values()) {
    const picked = members.filter(isPicked);
    await Promise.all(
      picked.map(async (row) => {
        const answer = await wrongAnswerTo(row, members);
        if (answer !== null) wrong.set(row.id, answer);
      }),
    );
  }
  return wrong;
}

/** The first answer of the right form that the row's checker rejects; null if there is none. */
export async function wrongAnswerTo(row: LabRow, dataset: readonly LabRow[]): Promise<string | null> {
  const start = hashOf(row.id) % dataset.length;
  const others = [...dataset.slice(start), ...dataset.slice(0, start)].map(({ reference }) => reference);
  for (const candidate of [...variantsOf(row), ...others]) {
    if (candidate.trim() === '' || candidate === row.reference) continue;
    if (!(await checkAnswer(row.check, candidate)).ok) return candidate;
  }
  return null;
}

function variantsOf({ kind, reference, check }: LabRow): string[] {
  switch (kind) {
    case 'choice':
    case 'label':
    case 'yes_no':
    case 'extraction':
    case 'exact_string':
      // The answer to another row of the dataset.
      return [];
    case 'number':
    case 'arithmetic':
      return [withOtherResult(reference)];
    case 'code':
      return check.type === 'code' && check.language === 'javascript'
        ? [
            replaceLast(reference, /\breturn\b[^;\n}]*/g, 'return null'),
            reference.replace(/=>.*/s, '=> null;'),
          ]
        : [replaceLast(reference, /\breturn\b.*/g, 'return None')];
    case 'sql':
      return [`SELECT * FROM (${reference.replace(/;\s*$/, '')}) AS answer LIMIT 0`];
    case 'json':
      return [withOtherLeaf(reference)];
    case 'table':
      return [
        withOtherResult(reference),
        reference.replace(/([\p{L}\p{N}]+)([^\p{L}\p{N}]*)$/u, 'unknown$2'),
      ];
    default:
      return [negated(reference), withOtherResult(reference)];
  }
}

function replaceLast(text: string, pattern: RegExp, by: string): string {
  const last = [...text.matchAll(pattern)].at(-1);
  if (last === undefined) return text;
  return `${text.slice(0, last.index)}${by}${text.slice(last.index + last[0].length)}`;
}

/** Adds 7 to the last number, anywhere in the text. */
function withOtherResult(text: string): string {
  const last = text.match(/\d+(?:\.\d+)?/g)?.at(-1);
  if (last === undefined) return text;
  const places = last.split('.')[1]?.length ?? 0;
  const other = (Number(last) + 7).toFixed(places);
  return text.replace(/\d+(?:\.\d+)?/g, (found) => (found === last ? other : found));
}

/** JSON with the same keys and another first value. */
function withOtherLeaf(text: string): string {
  let isDone = false;
  const change = (value: unknown): unknown => {
    if (isDone) return value;
    if (Array.isArray(value)) return value.map(change);
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)]));
    }
    isDone = true;
    if (typeof value === 'number') return value + 7;
    if (typeof value === 'boolean') return !value;
    return value === null ? 'unknown' : 'another one';
  };
  try {
    return JSON.stringify(change(JSON.parse(text)));
  } catch {
    return text;
  }
}

const NEGATIONS = /\bcannot\b|n['’]t\b|\s+not\b/;
const VERBS = /\b(is|are|was|were|can|could|should|would|will|does|did|do|has|have|must|may)\b/;

/** Negates prose, if its first sentence has a simple form. */
export function negated(text: string): string {
  if (NEGATIONS.test(text)) return text.replace(NEGATIONS, (found) => (found === 'cannot' ? 'can' : ''));
  if (VERBS.test(text)) return text.replace(VERBS, '$1 not');
  return `It is not true that ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
