import { equationFault } from './equations.ts';
import { foldWidth } from './numbers.ts';
import type { AnswerForm, FormKind } from './read-form.ts';
import { translatedNumberFault } from './translated-numbers.ts';

export interface EvidenceSource {
  /** The request with its material, as in the model's prompt. */
  readonly request: string;
  readonly answer: string;
  readonly form: AnswerForm;
}

/** Forms in which equations are statements: code, JSON, tables and labels have other ones. */
const STATED_KINDS: ReadonlySet<FormKind> = new Set(['open', 'short', 'number', 'string']);

/** Characters of a request that are read. */
const REQUEST_CHARACTERS_MAX = 4_000;
/** Characters of a translation that are read. */
const ANSWER_CHARACTERS_MAX = 20_000;

/**
 * Returns what contradicts an answer without a model, in words that continue "The answer …": an equation whose sides
 * differ, or a number that a translation lost or changed; null if nothing does. It never says what would be right
 * (ADR 0067).
 */
export function contradictionIn({ request, answer, form }: EvidenceSource): string | null {
  if (form.kind === 'translation') {
    // Folding may make one character several.
    const given = beginningOf(foldWidth(beginningOf(answer.trim())));
    const asked = foldWidth(request.slice(0, REQUEST_CHARACTERS_MAX)).slice(0, REQUEST_CHARACTERS_MAX);
    return translatedNumberFault(asked, given, form.language);
  }
  return STATED_KINDS.has(form.kind) && !form.hasOwnArithmetic ? equationFault(request, answer) : null;
}

/** The part of an answer that is read, up to the end of a word: half a number is another number. */
function beginningOf(answer: string): string {
  if (answer.length <= ANSWER_CHARACTERS_MAX) return answer;
  return answer.slice(0, ANSWER_CHARACTERS_MAX).replace(/(?<!\S)\S{1,200}$/, '');
}

/** Why an answer does not stand in the text that it has to be taken from verbatim; null if it does, or need not. */
export function extractionFault({ request, answer, form }: EvidenceSource): string | null {
  const asked = foldWidth(request.slice(0, REQUEST_CHARACTERS_MAX));
  return isTaken(asked, form) && answer.length <= 200 && !standsIn(answer, request)
    ? 'does not stand in the text that it is to be taken from'
    : null;
}

/** Whether the answer has to be extracted verbatim from the request's text. */
function isTaken(asked: string, form: AnswerForm): boolean {
  return (
    form.kind === 'string' &&
    /\b(?:extract|copy out|names? only|(?:exactly )?as (?:it is )?written|word for word|verbatim|return (?:only |just )?the [^.\n]{1,40} (?:mentioned|named|given|stated) in the)\b/i.test(
      asked,
    ) &&
    !/\b(?:translate|convert|correct|reformat|iso|initials|acronym|plural|opposite|synonym|category|label|format)\b/i.test(
      asked,
    )
  );
}

/** Whether a text contains every line or list item of an answer, ignoring case, spaces and punctuation. */
function standsIn(answer: string, text: string): boolean {
  const plain = (part: string): string =>
    foldWidth(part)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const whole = ` ${plain(text)} `;
  const contains = (part: string): boolean => {
    const words = plain(part);
    return (
      words === '' ||
      (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(words)
        ? whole.includes(words)
        : whole.includes(` ${words} `))
    );
  };
  return contains(answer) || answer.split(/\n|,|;|、/).every(contains);
}
