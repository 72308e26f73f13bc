import { wordsOf } from '#shared/answers/decide/words.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import type { PairKind } from '#shared/runs/schema/pair-kind.ts';

export interface AnswerPair {
  readonly request: string;
  readonly first: string;
  readonly second: string;
}

/** Characters of a text that are examined, from its start: they suffice for the kind, and answers may be megabytes. */
const CHARACTERS_MAX = 6000;
/** Characters at its end that are examined for truncation. */
const END_CHARACTERS = 200;
/** Maximum words of labels, choices, words and numbers. */
const SHORT_WORDS_MAX = 5;
/** From this ratio of words on, one answer is much longer. */
const LENGTH_RATIO = 1.5;
/** From this share of common words on (Dice, 1945: 2·|A∩B| / (|A| + |B|)), two texts are similar. */
const SAME_TEXT_MIN = 0.6;
/** From here on the texts differ in few words only, and the order of names and numbers counts too. */
const SAME_ORDER_MIN = 0.9;

/**
 * The kind of a pair, derived from its texts only; their order makes no difference. A judge that is accurate for one
 * kind may be no better than chance at another. The first match decides:
 *
 * 1. `defect`: exactly one has no words;
 * 2. `short`: both have at most five words. That is too little text for other checks;
 * 3. `defect`: exactly one is truncated, repetitive or off topic, or their languages differ. A judge notices this
 *    before any other difference;
 * 4. `code`: both contain code, whose numbers and names are not facts;
 * 5. `form`: one is a bare label or number, JSON, code, a list or a table, and the other is not;
 * 6. `fact`: similar texts that differ in a number, unit, date, negation or name. Before `voice` and `length`, because
 *    a wrong fact outweighs them;
 * 7. `voice`: exactly one is in the first person, or one is verse or dialogue and the other prose;
 * 8. `length`: one has at least 1.5 times the words of the other;
 * 9. `wording`: the rest.
 */
export function pairKindOf(pair: AnswerPair, detectLanguage: LanguageDetector): PairKind {
  const request = topicsOf(wordsOf(pair.request.slice(0, CHARACTERS_MAX)));
  const first = lookAt(pair.first);
  const second = lookAt(pair.second);
  const counts = [first.words.length, second.words.length] as const;
  if (counts[0] === 0 || counts[1] === 0) return counts[0] === counts[1] ? 'short' : 'defect';
  if (Math.max(...counts) <= SHORT_WORDS_MAX) return 'short';
  if (isOneBroken(pair, first, second, request, detectLanguage)) return 'defect';
  if (first.form === 'code' && second.form === 'code') return 'code';
  if (first.form !== second.form) return 'form';
  if (differInFacts(first, second)) return 'fact';
  if (first.isLined !== second.isLined || first.speaksAsI !== second.speaksAsI) return 'voice';
  const [shorter, longer] = lengthsOf(first, second);
  return longer >= LENGTH_RATIO * shorter ? 'length' : 'wording';
}

type Form = 'bare' | 'json' | 'code' | 'list' | 'table' | 'prose';

/** Features of an answer, from its start and its end only. */
interface AnswerFeatures {
  readonly text: string;
  readonly end: string;
  readonly characters: number;
  readonly isWhole: boolean;
  readonly words: readonly string[];
  readonly form: Form;
  readonly isLined: boolean;
  readonly speaksAsI: boolean;
}

function lookAt(answer: string): AnswerFeatures {
  const text = answer.slice(0, CHARACTERS_MAX).trim();
  const words = wordsOf(text);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const form = formOf(text, words, lines);
  return {
    text,
    end: answer.slice(-END_CHARACTERS).trimEnd(),
    characters: answer.length,
    isWhole: answer.length <= CHARACTERS_MAX,
    words,
    form,
    isLined: form === 'prose' && isVerseOrDialogue(lines),
    speaksAsI: speaksAsI(text, words.length),
  };
}

/** Lengths to compare: in words, or in characters for texts that were not read completely. */
function lengthsOf(
  first: AnswerFeatures,
  second: AnswerFeatures,
): readonly [shorter: number, longer: number] {
  const isCounted = first.isWhole && second.isWhole;
  const [a, b] = isCounted
    ? [first.words.length, second.words.length]
    : [first.characters, second.characters];
  return a < b ? [a, b] : [b, a];
}

function isOneBroken(
  { first: a, second: b }: AnswerPair,
  first: AnswerFeatures,
  second: AnswerFeatures,
  request: ReadonlySet<string>,
  detectLanguage: LanguageDetector,
): boolean {
  if (isCutFrom(a, b) || isCutFrom(b, a)) return true;
  if (isBrokenOff(first) !== isBrokenOff(second)) return true;
  if (isInCircles(first.words) !== isInCircles(second.words)) return true;
  if (first.form !== 'prose' || second.form !== 'prose') return false;
  const [one, other] = [detectLanguage(first.text), detectLanguage(second.text)];
  if (one !== null && other !== null && one !== other) return true;
  return isBesideTheRequest(first, second, request) || isBesideTheRequest(second, first, request);
}

/** A shorter text is a label, with which the other text may begin by chance. */
const CUT_WORDS_MIN = 4;

/** Whether a text is a prefix of the other one that ends within a sentence. */
function isCutFrom(whole: string, part: string): boolean {
  const begun = part.trim();
  const other = whole.trim();
  if (begun.length >= other.length || begun.split(/\s+/, CUT_WORDS_MIN).length < CUT_WORDS_MIN) return false;
  if (/[.!?。！？)\]}"'”’»`|]$/.test(begun.slice(-2))) return false;
  // If the sentence continues there, the text was truncated; if the sentence ends there, it was not.
  return other.startsWith(begun) && /[\p{L}\p{N}\s,]/u.test(other[begun.length] ?? '');
}

const LAST_WORDS =
  /(^|\s)(a|an|the|and|or|but|of|to|in|on|at|by|for|from|with|is|are|was|were|that|which|because|if|as|than|its|their|your|into)$/i;

/** Whether a text ends in the middle: after a comma or a function word, or within open brackets. */
function isBrokenOff({ text, end, isWhole, form }: AnswerFeatures): boolean {
  if ((text.match(/```/g)?.length ?? 0) % 2 === 1 && isWhole) return true;
  if (form === 'code' || form === 'json') return isWhole && isOpen(text);
  if (form === 'bare') return false;
  return /[,([{–—]$/.test(end) || (form === 'prose' && LAST_WORDS.test(end));
}

function isOpen(text: string): boolean {
  if ((text.match(/"""/g)?.length ?? 0) % 2 === 1) return true;
  let depth = 0;
  for (const bracket of text.match(/[()[\]{}]/g) ?? []) depth += '([{'.includes(bracket) ? 1 : -1;
  return depth > 0;
}

/** Shorter texts cannot be repetitive. */
const CIRCLE_WORDS_MIN = 20;
/** A text with a lower share of distinct word triples is repetitive. Prose has above nine tenths. */
const DISTINCT_MIN = 0.7;

function isInCircles(words: readonly string[]): boolean {
  if (words.length < CIRCLE_WORDS_MIN) return false;
  const triples = new Set<string>();
  for (let n = 0; n + 2 < words.length; n += 1) triples.add(`${words[n]} ${words[n + 1]} ${words[n + 2]}`);
  return triples.size / (words.length - 2) < DISTINCT_MIN;
}

/** Shorter texts may be on topic without naming it. */
const TOPIC_WORDS_MIN = 8;
const TOPIC_LETTERS = 4;
/** An answer with this many topics of the request is certainly on topic. */
const TOPICS_SHARED_MIN = 2;
const FIRST_UNSPACED_CODE = 0x2e80;
const OF_NO_TOPIC = new Set(
  (
    'about above after again also another because been before being below between both cannot could does doing ' +
    'down during each every from further give have having here into itself just know make makes many mean more most ' +
    'much need only other over same should some such tell than that their them then there these they this those ' +
    'through under until very want well were what when where which while will with would write your yours'
  ).split(' '),
);

/** The stems of the words that carry the topic of a text. */
function topicsOf(words: readonly string[]): ReadonlySet<string> {
  const topics = new Set<string>();
  for (const word of words) {
    const isOfUse = word.length >= TOPIC_LETTERS || word.charCodeAt(0) >= FIRST_UNSPACED_CODE;
    if (isOfUse && !OF_NO_TOPIC.has(word)) topics.add(word.slice(0, TOPIC_LETTERS));
  }
  return topics;
}

/** Whether a text shares no topic with the request or the other answer, while the other answer is on topic. */
function isBesideTheRequest(
  text: AnswerFeatures,
  other: AnswerFeatures,
  request: ReadonlySet<string>,
): boolean {
  if (text.words.length < TOPIC_WORDS_MIN || request.size === 0) return false;
  const own = topicsOf(text.words);
  const others = topicsOf(other.words);
  return (
    overlap(own, request) === 0 && overlap(own, others) === 0 && overlap(others, request) >= TOPICS_SHARED_MIN
  );
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const topic of a) if (b.has(topic)) shared += 1;
  return shared;
}

const LIST_ITEM = /^\s*([-*•+]|\d{1,3}[.)])\s+\S/;
const TABLE_ROW = /^\s*\|.*\|\s*$|\S\t\S/;

function formOf(text: string, words: readonly string[], lines: readonly string[]): Form {
  if (isJson(text)) return 'json';
  if (isCode(text, lines)) return 'code';
  if (words.length <= SHORT_WORDS_MAX && (words.length <= 2 || !/[.!?。！？]$/.test(text))) return 'bare';
  const shareOf = (pattern: RegExp): number => lines.filter((line) => pattern.test(line)).length;
  const [items, rows] = [shareOf(LIST_ITEM), shareOf(TABLE_ROW)];
  if (items >= 2 && items * 2 >= lines.length) return 'list';
  return rows >= 2 && rows * 2 >= lines.length ? 'table' : 'prose';
}

/** By its brackets: truncated JSON counts too. */
function isJson(text: string): boolean {
  const body = text.replace(/^```json\s*/, '');
  return /^\{\s*("|\}|$)/.test(body) || /^\[\s*(["{[\]\-\d]|true|false|null)/.test(body);
}

const CODE_LINES: readonly RegExp[] = [
  /^\s*(async\s+)?(def|class|function|func|fn)\s+\w+/,
  /^\s*(const|let|var)\s+[\w{[].*=/,
  /^\s*(import|from)\s+[\w{"'.]+(\s+(import|from)\b.*|;?)$/,
  /^\s*(if|elif|for|while|with|switch|catch|else|try)\b.*[:{]\s*$/,
  /^\s*return\b/,
  /^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|FROM|WHERE|GROUP BY|ORDER BY|HAVING|JOIN|LEFT JOIN)\s+\S/,
  /^\s*[\w.$[\]'"]+(,\s*\w+)*\s*[-+*/|&]?=\s*\S.*[([\]"'.;)]/,
  // A call, of which only the start is examined: the arguments do not matter.
  /^[ \t]{0,40}[\w.$]{1,60}\([^()]{0,80}(?:\(|\);?$)/,
  /^\s*(#include|#!\/|<\/?[a-z][^>]*>|@\w+)/,
  /^\s*[})\]]+(?:[;,][;,)]*)?\s*$/,
  /^\s*(\$ )?(grep|awk|sed|find|git|npm|docker|curl|sort|ls|cat|tar|chmod|sudo)\s+[-\w'"./]/,
];

/** A fenced block, or lines of which at least half are code. */
function isCode(text: string, lines: readonly string[]): boolean {
  if (/```(?!json)/.test(text) && /^```/m.test(text)) return true;
  if (lines.length === 0) return false;
  const isLineOfCode = (line: string): boolean =>
    /[(){}[\]=;<>:|*'"\-/]/.test(line) && CODE_LINES.some((pattern) => pattern.test(line));
  const opensBlock = isLineOfCode(lines[0] ?? '');
  const isOfCode = (line: string): boolean =>
    isLineOfCode(line) || (opensBlock && /^(\t| {2})\s*\S/.test(line));
  return lines.filter(isOfCode).length * 2 >= lines.length;
}

const VERSE_LINES_MIN = 3;
const VERSE_WORDS_MAX = 11;
const SPEAKER = /^\s*([\p{Lu}][\p{L}. ]{0,24}:\s|[–—-]\s*\p{Lu}|["“„«])/u;

/** Three or more short lines, or two lines of dialogue. */
function isVerseOrDialogue(lines: readonly string[]): boolean {
  const spoken = lines.filter((line) => SPEAKER.test(line)).length;
  if (spoken >= 2 && spoken * 2 >= lines.length) return true;
  return (
    lines.length >= VERSE_LINES_MIN &&
    lines.every((line) => line.trim().split(/\s+/).length <= VERSE_WORDS_MAX)
  );
}

/** English, German, French and Spanish; the capital distinguishes "I" from words of other languages. */
const AS_I =
  /(?<![\p{L}\p{N}])(I|[Mm]y|[Mm]e|[Mm]ine|[Mm]yself|[Ww]e|[Oo]ur|[Oo]urs|[Ii]ch|[Ww]ir|[Jj]e|[Nn]ous|[Yy]o|[Nn]osotros)(?![\p{L}\p{N}])/gu;
/** At least one such word in this many makes a text first person. */
const WORDS_PER_I = 30;

function speaksAsI(text: string, words: number): boolean {
  const unquoted = text.replaceAll(/"[^"\n]{0,400}"|“[^“”\n]{0,400}”/g, ' ');
  return (unquoted.match(AS_I)?.length ?? 0) * WORDS_PER_I >= Math.max(words, 1);
}

const FACT_WORDS = new Set(
  // numbers
  (
    'zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
    'eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half ' +
    'third quarter double triple twice ' +
    // units
    'km m cm mm kg g mg l ml ms kb mb gb tb percent second seconds minute minutes hour hours day days week weeks month ' +
    'months year years decade decades century centuries metre metres meter meters kilometre kilometres kilometer ' +
    'kilometers centimetre centimetres centimeters millimetre millimetres mile miles foot feet inch inches gram grams ' +
    'kilogram kilograms milligram milligrams tonne tonnes ton tons pound pounds ounce ounces litre litres liter liters ' +
    'millilitre millilitres gallon gallons cup cups teaspoon teaspoons tablespoon tablespoons degree degrees celsius ' +
    'fahrenheit volt volts watt watts dollar dollars euro euros cent cents ' +
    // dates
    'monday tuesday wednesday thursday friday saturday sunday january february march april june july august ' +
    'september october november december spring summer autumn winter bc ' +
    // negation
    'not no never none nor neither nobody nothing without cannot yes true false nicht kein keine nie pas jamais nunca'
  ).split(' '),
);
const NAME_OR_FACT = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.,]*[\p{L}\p{M}\p{N}]|[\p{L}\p{N}]|[%€$£°]/gu;

/** Numbers, units, dates, negations and names, in order. */
function factsOf(text: string): string[] {
  const facts: string[] = [];
  for (const match of text.matchAll(NAME_OR_FACT)) {
    const [word] = match;
    const plain = word.toLowerCase();
    const isName =
      /^\p{Lu}/u.test(word) && word !== 'I' && !/^I['’]/.test(word) && !beginsSentence(text, match.index);
    if (/\p{N}|^[%€$£°]$/u.test(word) || FACT_WORDS.has(plain) || /n['’]t$/.test(plain) || isName)
      facts.push(plain);
  }
  return facts;
}

function beginsSentence(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 4), at);
  return (
    before.trim() === '' ||
    // At most 4 characters.
    /[.!?:;]["'”’)]?\s+["'“‘(]?$|\n\s*$|["“‘(*]$/.test(before)
  );
}

function differInFacts(first: AnswerFeatures, second: AnswerFeatures): boolean {
  const same = shareInCommon(first.words, second.words);
  if (same < SAME_TEXT_MIN) return false;
  const [a, b] = [factsOf(first.text), factsOf(second.text)];
  // A name at the start of a sentence in one text may be inside a sentence in the other.
  const [inFirst, inSecond] = [new Set(first.words), new Set(second.words)];
  const isMissing = (fact: string, facts: readonly string[], words: ReadonlySet<string>): boolean =>
    !facts.includes(fact) && !words.has(fact);
  const isOther =
    a.slice(0, FACTS_MAX).some((fact) => isMissing(fact, b, inSecond)) ||
    b.slice(0, FACTS_MAX).some((fact) => isMissing(fact, a, inFirst));
  if (isOther) return true;
  return same >= SAME_ORDER_MIN && a.join(' ') !== b.join(' ');
}

/** Maximum number of facts that are compared. */
const FACTS_MAX = 200;

function shareInCommon(first: readonly string[], second: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const word of first) counts.set(word, (counts.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of second) {
    const left = counts.get(word) ?? 0;
    if (left > 0) {
      counts.set(word, left - 1);
      common += 1;
    }
  }
  return (2 * common) / (first.length + second.length);
}
