import { foldLabel } from '#shared/answers/decide/labels.ts';
import { beginningOf } from '#shared/platform/beginning-of.ts';
import type { Witness, WitnessedRow, WitnessFinding } from '../witness.ts';
import { FitFeatures, type Side } from './answer-fit.ts';
import { drawRows } from './draw-rows.ts';
import { FITTED_ROWS_MIN, findForeignAnswers } from './foreign-answers.ts';
import { doubtLabels, hasLabelsEnough, LABEL_SCORE_MIN, type LabelDoubt } from './label-noise.ts';
import { findOtherAnswers } from './same-questions.ts';
import { centre, newVectors, product, type Vectors } from './vectors.ts';
import { readWordSets } from './word-sets.ts';

/** Embeds texts: a vector of length 1 for each, in their order. */
export type Embed = (texts: readonly string[], signal?: AbortSignal) => Promise<readonly Float32Array[]>;

/** Rows that are looked at; of others nothing is said. */
const ROWS_MAX = 100_000;
/** Characters of a text that are embedded: embedding models read no more. */
const EMBEDDED_CHARACTERS_MAX = 1500;
const EMBEDDED_TOGETHER = 512;
/** Characters of a label, rows that each must have, and share of the rows that must have one. */
const LABEL_CHARACTERS_MAX = 100;
const LABEL_ROWS_MIN = 5;
const LABELLED_SHARE_MIN = 0.9;
const LABELS_MAX = 100;
/** Score from which another answer is spoken of. */
const OTHER_ANSWER_SCORE_MIN = 0.3;
/** Rows of the better label that are searched for neighbours, and how many are named. */
const SEARCHED_ROWS_MAX = 500;
const NAMED_ROWS = 2;
const QUOTED_CHARACTERS_MAX = 80;

/**
 * Compares each row with the others of its dataset, by embeddings and by words. Three things are wrong in different
 * columns: labels that neighbours contradict, answers that belong to another row, and equal questions with different
 * answers. Each view measures first whether the column can be judged by it, and is silent if not.
 */
export function createNeighboursWitness({ embed }: { readonly embed: Embed }): Witness {
  return async (all, signal) => {
    const rows = all.slice(0, ROWS_MAX);
    const findings: (WitnessFinding | null)[] = findOtherAnswers(rows).map((other, row) =>
      other === null || other.score < OTHER_ANSWER_SCORE_MIN ? null : describeOtherAnswer(rows, row, other),
    );
    const column = readLabels(rows);
    const others =
      column === null
        ? await findForeign(rows, embed, signal)
        : await findMislabelled(rows, column, embed, signal);
    for (const [row, finding] of others.entries()) {
      if (finding !== null && (finding.score ?? 0) > (findings[row]?.score ?? 0)) findings[row] = finding;
    }
    for (let row = rows.length; row < all.length; row += 1) findings.push(null);
    return findings;
  };
}

/** The texts of one side: each different one once, and which one each row has. */
function distinct(texts: readonly string[]): { readonly list: readonly string[]; readonly of: Int32Array } {
  const numbers = new Map<string, number>();
  const of = Int32Array.from(texts, (text) => {
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  });
  return { list: [...numbers.keys()], of };
}

/** Embeds texts block by block. A vector of another length, or with what is no number, becomes zeros. */
async function embedAll(
  texts: readonly string[],
  embed: Embed,
  signal: AbortSignal | undefined,
): Promise<Vectors> {
  let vectors = newVectors(0, 0);
  for (let start = 0; start < texts.length; start += EMBEDDED_TOGETHER) {
    signal?.throwIfAborted();
    const block = texts.slice(start, start + EMBEDDED_TOGETHER);
    const embedded = await embed(
      block.map((text) => beginningOf(text, EMBEDDED_CHARACTERS_MAX)),
      signal,
    );
    if (start === 0) vectors = newVectors(texts.length, embedded[0]?.length ?? 0);
    for (const [n, vector] of embedded.entries()) {
      if (n >= block.length || vector.length !== vectors.dimensions || !vector.every(Number.isFinite))
        continue;
      vectors.values.set(vector, (start + n) * vectors.dimensions);
    }
  }
  return vectors;
}

const promptOf = ({ prompt, context }: WitnessedRow): string =>
  context === '' ? prompt : `${prompt}\n${context}`;

async function findForeign(
  rows: readonly WitnessedRow[],
  embed: Embed,
  signal: AbortSignal | undefined,
): Promise<(WitnessFinding | null)[]> {
  if (rows.length < FITTED_ROWS_MIN) return [];
  // Numbers and letters fit every prompt.
  const isText = ({ completion }: WitnessedRow): boolean => /\p{L}{2}/u.test(completion);
  if (rows.filter(isText).length < rows.length / 2) return [];
  const prompts = distinct(rows.map(promptOf));
  const answers = distinct(rows.map(({ completion }) => completion));
  const sideOf = async ({ list }: typeof prompts): Promise<Side> => ({
    vectors: centre(await embedAll(list, embed, signal)),
    words: readWordSets(list),
  });
  const features = new FitFeatures(await sideOf(prompts), await sideOf(answers));
  const isRead = Uint8Array.from(rows, ({ prompt, completion }) =>
    prompt.trim() === '' || completion.trim() === '' ? 0 : 1,
  );
  const paired = { count: rows.length, promptOf: prompts.of, answerOf: answers.of, isRead };
  const found = findForeignAnswers(paired, features);
  const comers = new Map<number, string | null>();
  for (const [row, foreign] of found.entries()) {
    if (foreign !== null)
      comers.set(foreign.home, comers.has(foreign.home) ? null : (rows[row]?.completion ?? null));
  }
  return found.map((foreign, row) => {
    if (foreign === null) return null;
    const { home, score } = foreign;
    const better = comers.get(row) ?? null;
    return {
      witness: 'neighbours',
      says: 'wrong',
      kind: 'answer_of_other_row',
      reason: `The answer fits the prompt of row ${numberOf(rows, home)} (${quote(rows[home]?.prompt)}) better than its own (${quote(rows[row]?.prompt)}).`,
      // The one foreign answer that fits this prompt.
      ...(better === null ? {} : { better }),
      score,
    };
  });
}

interface Labels {
  readonly classOf: Int32Array;
  /** As most rows write them. */
  readonly names: readonly string[];
}

/** The labels of a column that has few different short answers, each often; null of another column. */
function readLabels(rows: readonly WitnessedRow[]): Labels | null {
  const spellings = new Map<string, Map<string, number>>();
  const folded = rows.map(({ prompt, completion }) => {
    const text = completion.trim();
    if (prompt.trim() === '' || text === '' || text.length > LABEL_CHARACTERS_MAX) return '';
    const label = foldLabel(text);
    const known = spellings.get(label) ?? new Map<string, number>();
    spellings.set(label, known.set(text, (known.get(text) ?? 0) + 1));
    return label;
  });
  const often = [...spellings].filter(
    ([, counts]) => [...counts.values()].reduce((sum, count) => sum + count, 0) >= LABEL_ROWS_MIN,
  );
  const classes = new Map(often.map(([label], n) => [label, n]));
  const classOf = Int32Array.from(folded, (label) => classes.get(label) ?? -1);
  const labelled = classOf.filter((each) => each >= 0).length;
  if (often.length < 2 || often.length > LABELS_MAX || labelled < LABELLED_SHARE_MIN * rows.length)
    return null;
  const names = often.map(([, counts]) => [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))[0]);
  return { classOf, names };
}

async function findMislabelled(
  rows: readonly WitnessedRow[],
  { classOf, names }: Labels,
  embed: Embed,
  signal: AbortSignal | undefined,
): Promise<(WitnessFinding | null)[]> {
  if (!hasLabelsEnough(classOf.filter((each) => each >= 0).length, names.length)) return [];
  const prompts = distinct(rows.map(promptOf));
  const vectors = await embedAll(prompts.list, embed, signal);
  const column = { classOf, classes: names.length, groupOf: prompts.of };
  const doubts = doubtLabels(column, prompts.of, vectors);
  if (doubts === null) return [];
  const searched = names.map((_, each) => sampleOf(classOf, each, doubts));
  return doubts.map((doubt, row) => {
    if (doubt === null || !doubt.isConfident || doubt.score < LABEL_SCORE_MIN) return null;
    const better = names[doubt.better] as string;
    const near = (searched[doubt.better] ?? [])
      .map((other) => ({
        other,
        nearness: product(vectors, prompts.of[row] as number, vectors, prompts.of[other] as number),
      }))
      .sort((a, b) => b.nearness - a.nearness)
      .slice(0, NAMED_ROWS)
      .map(({ other }) => `row ${numberOf(rows, other)} (${quote(rows[other]?.prompt)})`);
    return {
      witness: 'neighbours',
      says: 'wrong',
      kind: 'label_contradicted',
      reason: `Similar rows are labelled ${quote(better)}, such as ${near.join(' and ')}; this row is labelled ${quote(rows[row]?.completion)}.`,
      better,
      score: doubt.score,
    };
  });
}

/** Rows of a class whose label is not in doubt. */
function sampleOf(
  classOf: Int32Array,
  each: number,
  doubts: readonly (LabelDoubt | null)[],
): readonly number[] {
  const rows = [...classOf.keys()].filter(
    (row) => classOf[row] === each && doubts[row]?.isConfident === false,
  );
  return drawRows(rows, SEARCHED_ROWS_MAX);
}

function describeOtherAnswer(
  rows: readonly WitnessedRow[],
  row: number,
  { other, othersCount, sameCount, score }: NonNullable<ReturnType<typeof findOtherAnswers>[number]>,
): WitnessFinding {
  const better = rows[other]?.completion.trim() ?? '';
  const answered = `Row ${numberOf(rows, other)} answers the same question with ${quote(better)}, this row with ${quote(rows[row]?.completion)}`;
  return {
    witness: 'neighbours',
    says: 'wrong',
    kind: 'answered_differently',
    reason:
      othersCount > sameCount
        ? `${answered}; ${othersCount} rows agree with it and ${sameCount === 1 ? 'none' : sameCount - 1} with this one.`
        : `${answered}; one of them is wrong.`,
    ...(othersCount > sameCount ? { better } : {}),
    score,
  };
}

const numberOf = (rows: readonly WitnessedRow[], place: number): number => rows[place]?.row ?? place;

/** The beginning of a text in quotation marks, on one line. */
function quote(text = ''): string {
  const line = beginningOf(text, 4 * QUOTED_CHARACTERS_MAX)
    .trim()
    .replaceAll(/\s+/g, ' ');
  const beginning = beginningOf(line, QUOTED_CHARACTERS_MAX);
  return `“${beginning}${beginning.length < line.length ? '…' : ''}”`;
}
