import { own } from '#shared/platform/own.ts';
import { formFault } from './check-form.ts';
import { isBareNumber, numbersOf } from './numbers.ts';
import type { AnswerForm } from './read-form.ts';
import { repairCode, repairJson } from './repair-notation.ts';

/** Longest original, in words, that may be a careless form of a short answer. */
const WORDS_MAX = 25;
/** A longer text says more than a short answer, even in few words. */
const CHARACTERS_MAX = 1_000;

/**
 * Converts the original to the demanded form, if it states the answer in another form; null if it names none of the
 * demanded answers, or several.
 */
export function coerce(form: AnswerForm, original: string): string | null {
  const answer = rewrite(form, original);
  return answer !== null && formFault(form, answer) === null ? answer : null;
}

function rewrite(form: AnswerForm, original: string): string | null {
  const text = original.trim();
  const isFenced = form.kind === 'json' || form.kind === 'code' || form.kind === 'sql';
  // A text that says more than its answer would lose content.
  if (
    !isFenced &&
    (text.length > CHARACTERS_MAX || text.split(/\s+/).length > WORDS_MAX || /^[[{]/.test(text))
  )
    return null;
  switch (form.kind) {
    case 'label':
      return findLabel(form, text);
    case 'number':
      return findNumber(text, form);
    case 'string':
      return findPhrase(text) ?? withoutSurplus(text, form);
    case 'json':
      return findFenced(text) ?? repairJson(text);
    case 'code':
      return findFenced(text) ?? findRepairedCode(form, text);
    case 'sql':
      return findFenced(text);
    default:
      return null;
  }
}

/** Code whose notation is repaired; an answer with prose around its code is left alone. */
function findRepairedCode({ codeLanguage }: AnswerForm, text: string): string | null {
  if (text.includes('```') || (codeLanguage !== 'python' && codeLanguage !== 'javascript')) return null;
  return repairCode(codeLanguage, text);
}

const NEGATED = /\b(?:not|isn't|isnt|n't|never|no longer|rather than|instead of)\s+(?:a |an |the )?$/i;

function findLabel({ labels, options }: AnswerForm, text: string): string | null {
  const named = labels.filter((label) => mentions(text, label, labels));
  if (named.length === 1) return named[0] as string;
  if (named.length > 1) {
    // "No, it isn't true": the leading label is the answer, unless it starts a list of labels.
    const [leading] = named.filter((label) => {
      const [, rest] =
        new RegExp(`^["'“]?${quoted(label)}["'”]?([\\s.,:;!–-][\\s\\S]*)$`, 'iu').exec(text) ?? [];
      const next = rest?.replace(/^[\s.,:;!"'“–-]*(?:(?:and|or)\s+)?/i, '').toLowerCase();
      return (
        next !== undefined &&
        /^[.,:;!–-]/.test(rest ?? '') &&
        !named.some((other) => next.startsWith(other.toLowerCase()))
      );
    });
    return leading !== undefined && leading.length > 1 ? leading : null;
  }
  const plain = text.toLowerCase();
  const synonyms = labels.filter((label) => own(YES_NO, label.toLowerCase())?.test(plain) === true);
  if (synonyms.length === 1) return synonyms[0] as string;
  // The words of an option count as its letter.
  const meant = [...options].filter(([, meaning]) => meaning !== '' && plain.includes(meaning.toLowerCase()));
  return meant.length === 1 && labels.includes(meant[0]?.[0] ?? '') ? (meant[0]?.[0] ?? null) : null;
}

const YES_NO: Readonly<Record<string, RegExp>> = {
  yes: /^(?:yes|yeah|yep|yup|sure|correct|true)\b/,
  no: /^(?:no|nope|nah|incorrect|false)\b/,
  true: /^(?:true|yes|yeah|correct)\b|\bits true\b/,
  false: /^(?:false|no|nope|incorrect)\b|\bits false\b/,
};

/** Whether a text contains a label as a word and does not negate it. */
function mentions(text: string, label: string, labels: readonly string[]): boolean {
  const hasTwin = labels.some((other) => other !== label && other.toLowerCase() === label.toLowerCase());
  // A single letter may be an English word: only a capital, or a letter nearly on its own, is an option.
  const isLetter = /^[A-Za-z]$/.test(label);
  const isAlone = text.replace(/[^\p{L}\p{N}]/gu, '').length <= 2;
  const flags = hasTwin || (isLetter && !isAlone) ? 'gu' : 'giu';
  // "Not supported" does not contain "supported" if it is a label itself.
  const longer = labels.filter(
    (other) => other.length > label.length && other.toLowerCase().includes(label.toLowerCase()),
  );
  const shown = longer.reduce((rest, other) => rest.replaceAll(new RegExp(quoted(other), 'giu'), ' '), text);
  for (const match of shown.matchAll(
    new RegExp(`(?<![\\p{L}\\p{N}])${quoted(label)}(?![\\p{L}\\p{N}])`, flags),
  )) {
    if (
      isLetter &&
      label === 'A' &&
      /^A\s+(?!(?:or|and|is|because|since|i)\b)\p{Ll}/u.test(shown.slice(match.index)) &&
      !isAlone
    )
      continue;
    if (!NEGATED.test(shown.slice(0, match.index))) return true;
  }
  return false;
}

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function findNumber(text: string, { needsUnit }: AnswerForm): string | null {
  const shown = numbersOf(text);
  const [only] = shown;
  if (only === undefined || shown.length !== 1) return null;
  const rest = text.slice(text.indexOf(only.text));
  const phrase =
    /^[\d.,]+(?:\s?[%°€$£]|\s?(?:°[CF]|[kcm]?m|k?g|m?l|km\/h|[A-Z]{3}))?(?![\p{L}])/u
      .exec(rest)?.[0]
      ?.replace(/[.,]$/, '') ?? only.text;
  const sign = /[$€£]\s?$/.exec(text.slice(0, text.indexOf(only.text)))?.[0] ?? '';
  const answer = `${sign}${phrase}`;
  if (needsUnit && /^[\d.,\s]+$/.test(answer)) return null;
  return isBareNumber(answer) ? answer : null;
}

/** The phrase inside a sentence. */
function findPhrase(text: string): string | null {
  if (/\s{3}/.test(text) || text.length > 300) return null;
  const match =
    // At most 300 characters.
    /^(?:it|that|this|its|it's|that's|the (?:\w+ ){0,3}?\w+|answer|i think|i guess)\b[^.\n]{0,60}?\b(?:is|was|are|were|be|would be|should be)\b\s*:?\s+["'“]?([^"'”\n]{1,80}?)["'”]?[.!]?$/i.exec(
      text,
    );
  const phrase = match?.[1]?.trim();
  return phrase === undefined || phrase === '' || /[,;]|\b(?:because|which|and|but)\b/i.test(phrase)
    ? null
    : phrase;
}

/** Words without content, in the order in which a phrase can miss them, and what takes their place. */
const SURPLUS: readonly (readonly [RegExp, string])[] = [
  [/^(?:an?|the) (?=\S)/i, ''],
  [/ (?:very|really|quite|rather|so|just) /i, ' '],
  [/ and /i, ', '],
];

/** A phrase of a demanded number of words, without those of it that carry no content; null if others would have to go. */
function withoutSurplus(text: string, { words }: AnswerForm): string | null {
  if (words === null || words.max > 6 || /[\n.!?;:]./.test(text)) return null;
  let phrase = text;
  for (const [pattern, instead] of SURPLUS) {
    if (phrase.split(/\s+/).length <= words.max) break;
    phrase = phrase.replace(pattern, instead);
  }
  const shown = /^\p{Lu}/u.test(text) ? `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}` : phrase;
  return shown === text ? null : shown;
}

/** The content of the only fenced block of a text. */
function findFenced(text: string): string | null {
  const [, block, , ...more] = text.split('```', 4);
  if (block === undefined || more.length > 0 || !block.includes('\n')) return null;
  const code = block.slice(block.indexOf('\n') + 1).trim();
  return code === '' ? null : code;
}
