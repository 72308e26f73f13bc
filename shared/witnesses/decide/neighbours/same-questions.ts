import { foldLabel } from '#shared/answers/decide/labels.ts';
import { normalizeText } from '#shared/platform/normalize-text.ts';
import type { WitnessedRow } from '../witness.ts';

/** A row whose question has another answer elsewhere. */
export interface OtherAnswer {
  /** A row that answers the question otherwise. */
  readonly other: number;
  /** Rows that answer it as that row does, and as this one does. */
  readonly othersCount: number;
  readonly sameCount: number;
  readonly score: number;
}

/** Characters of an answer that is exact, and share of a column's answers that must be. */
const EXACT_CHARACTERS_MAX = 60;
const EXACT_SHARE_MIN = 0.8;
/** Share of the pairs of equal questions that must have equal answers, and how many such pairs are taken to be known. */
const AGREEMENT_MIN = 0.5;
const AGREEMENT_PRIOR = 0.8;
const PRIOR_PAIRS = 4;
const PROMPT_CHARACTERS_MAX = 20_000;

/**
 * Finds questions with several answers, and says it of the rows whose answer is the rarer one; of all where none is.
 * Silent where equal questions of the column have different answers as a rule: they ask for an example, or a text.
 */
export function findOtherAnswers(rows: readonly WitnessedRow[]): (OtherAnswer | null)[] {
  const found = new Array<OtherAnswer | null>(rows.length).fill(null);
  const exact = rows.filter(({ completion }) => completion.trim().length <= EXACT_CHARACTERS_MAX).length;
  if (exact < EXACT_SHARE_MIN * rows.length) return found;
  const groups = groupQuestions(rows);
  let [pairs, agreeing] = [0, 0];
  for (const answers of groups) {
    const count = [...answers.values()].reduce((sum, of) => sum + of.length, 0);
    pairs += (count * (count - 1)) / 2;
    for (const of of answers.values()) agreeing += (of.length * (of.length - 1)) / 2;
  }
  const agreement = (agreeing + AGREEMENT_PRIOR * PRIOR_PAIRS) / (pairs + PRIOR_PAIRS);
  if (agreement < AGREEMENT_MIN) return found;
  for (const answers of groups) {
    const [first, second] = [...answers.values()].sort((a, b) => b.length - a.length);
    if (first === undefined || second === undefined) continue;
    for (const of of answers.values()) {
      const others = of === first ? second : first;
      if (of.length > others.length) continue;
      const score = (agreement * others.length) / (others.length + of.length);
      const other = others[0] as number;
      for (const row of of) found[row] = { other, othersCount: others.length, sameCount: of.length, score };
    }
  }
  return found;
}

/** Different answers to one question. */
const ANSWERS_MAX = 100;

/** The rows of each question that is asked more than once, by their answers. */
function groupQuestions(rows: readonly WitnessedRow[]): Map<string, number[]>[] {
  const groups = new Map<string, Map<string, number[]>>();
  for (const [row, { prompt, context, completion }] of rows.entries()) {
    if (completion.trim() === '' || completion.trim().length > EXACT_CHARACTERS_MAX) continue;
    if (Math.max(prompt.length, context.length) > PROMPT_CHARACTERS_MAX || prompt.trim() === '') continue;
    const question = `${foldQuestion(prompt)}\u0000${context.trim()}`;
    const answer = foldAnswer(completion);
    const answers = groups.get(question) ?? new Map<string, number[]>();
    const same = answers.get(answer) ?? [];
    if (same.push(row) === 1) answers.set(answer, same);
    groups.set(question, answers);
  }
  return [...groups.values()].filter((answers) => {
    const texts = [...answers.keys()];
    // So many answers have no question in common.
    if (texts.length > ANSWERS_MAX) return false;
    // "Paris" and "Paris, France" are one answer.
    return !texts.some((text) => texts.some((other) => other !== text && ` ${other} `.includes(` ${text} `)));
  });
}

/** Words that change no question. */
const FILLER = /^(?:please|kindly|the|an|a)$/;

/** A question without case, articles, politeness and the marks at the ends of words. Signs between words stay. */
function foldQuestion(prompt: string): string {
  const words = normalizeText(prompt, 'NFKC').toLowerCase().split(/\s+/);
  const bare = words.map((word) =>
    word.replace(/^["'“‘]/, '').replace(/(?<=[\p{L}\p{N}])["'”’]?[?!.,:;]$/u, ''),
  );
  return bare
    .filter((word, at) => word !== '' && !(FILLER.test(word) && /^\p{L}{2}/u.test(bare[at + 1] ?? '')))
    .join(' ');
}

/** An answer without case and marks; 1,000 is 1000. */
function foldAnswer(answer: string): string {
  return foldLabel(answer)
    .toLowerCase()
    .replaceAll(/(?<=\d),(?=\d{3})/g, '')
    .replaceAll(/[,;]\s/g, ' ');
}
