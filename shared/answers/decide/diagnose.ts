import { findLanguage, languageNamed } from '#shared/languages/decide/catalog.ts';
import { letterOfScript } from '#shared/languages/decide/check-language.ts';
import {
  DETECTED_LANGUAGES,
  type LanguageDetector,
  withoutCode,
} from '#shared/languages/decide/detect-language.ts';
import { formFault, isLengthNoun, partCount } from './check-form.ts';
import { type Debris, debrisIn } from './debris.ts';
import { contradictionIn } from './evidence.ts';
import { wordingOf } from './facts.ts';
import { endsWithin } from './inner-words.ts';
import { foldLabel, matchLabel } from './labels.ts';
import { degeneracyOf, loopFault, lostFault } from './lint/degenerate.ts';
import { outerTextIn } from './outline.ts';
import { type AnswerForm, asksForAdvice, isCode, isExact } from './read-form.ts';
import { beginsSmall, hasNotation, isCareless, isClosed, type Surface, surfaceOf } from './surface.ts';
import { sourceIn } from './translated-numbers.ts';
import { hasMoreWords } from './words.ts';

/**
 * Defects that a program can detect. `form_broken`: not in the form that its request demands and its column has.
 * `doubtful`: an equation in it is false, or a translation has another number than its source. `thin`: careless and
 * almost empty. `careless`: complete but badly written. `debris`: something in it is no part of an answer.
 */
export type Defect =
  | 'empty'
  | 'debris'
  | 'form_broken'
  | 'doubtful'
  | 'degenerate'
  | 'wrong_language'
  | 'cut_off'
  | 'thin'
  | 'careless';

export type Diagnosis =
  | { readonly defect: null }
  | {
      readonly defect: Defect;
      /** What is wrong, in words that continue "The answer …". */
      readonly why: string;
    };

export interface DiagnosisSource {
  readonly request: string;
  /** The request without its context columns and earlier turns. */
  readonly prompt: string;
  readonly answer: string;
  readonly form: AnswerForm;
  readonly detectLanguage: LanguageDetector;
}

/** Careless answers with fewer words are thin if the request asks for reasons or steps. */
export const THIN_WORDS_MAX = 14;

/** Characters of a text that are checked for its language and for repetition. */
const LOOKED_AT_MAX = 50_000;
/** Quotations are searched for in this many characters of a request. */
const REQUEST_CHARACTERS_MAX = 4_000;

function languageOf(
  { detectLanguage }: Pick<DiagnosisSource, 'detectLanguage'>,
  text: string,
): string | null {
  return detectLanguage(text.slice(0, LOOKED_AT_MAX));
}

/** What is known of an answer that is looked at. */
export interface Examined {
  /** Whether `formFault` and `contradictionIn` were asked about it and find nothing. */
  readonly isChecked?: boolean;
  /** Whether a model has written it: then it may be laid out as its column's answers are not. */
  readonly isWritten?: boolean;
}

/** Finds the most severe defect of an answer, without a model. */
export function diagnose(
  source: DiagnosisSource,
  { isChecked = false, isWritten = false }: Examined = {},
): Diagnosis {
  const { request, prompt, answer, form } = source;
  const text = answer.trim();
  if (text === '') return defect('empty', 'is empty');
  if (standsForNothing(source, text)) return defect('empty', 'stands for an empty cell');
  if (OPEN_REASONING.test(text) && !/think/i.test(prompt))
    return defect('cut_off', 'is reasoning that breaks off before an answer');
  const hasCode = isCode(text);
  const debris = debrisOf({ answer: text, prompt, request, form }, hasCode);
  if (debris?.isCertain === true) return defect('debris', debris.why);
  // An answer of any form loses characters, and one in words breaks into a loop: of other forms than exact ones see `degeneracyOf`.
  const isExactWord = isExact(form) && !hasCode && !isNotation(form);
  const broken = lostFault(text, request) ?? (isExactWord ? loopFault(text) : null);
  if (broken !== null) return defect('degenerate', broken);
  const found = defectIn(source, text, { hasCode, isChecked });
  // The weakest sign comes last, and hides no other defect: an answer that is laid out as no other may be right.
  return found.defect !== null || debris === null || isWritten ? found : defect('debris', debris.why);
}

/** The most severe defect of an answer that holds something, and no debris for certain. */
function defectIn(
  source: DiagnosisSource,
  text: string,
  { hasCode, isChecked }: { readonly hasCode: boolean; readonly isChecked: boolean },
): Diagnosis {
  const { request, prompt, form } = source;
  if (isExact(form)) {
    const fault = (isChecked ? null : formFault(form, text)) ?? spellingFault(form, text, prompt);
    if (fault !== null) return defect('form_broken', fault);
    const contradiction = isChecked ? null : contradictionIn({ request, answer: text, form });
    if (contradiction !== null) return defect('doubtful', contradiction);
    const lacking = lastMarkFault(form, text);
    return lacking === null ? { defect: null } : defect('cut_off', lacking);
  }
  const degeneracy = degeneracyOf(text.slice(0, LOOKED_AT_MAX), prompt.slice(0, LOOKED_AT_MAX));
  if (degeneracy !== null && !/^has no words/.test(degeneracy)) return defect('degenerate', degeneracy);
  const foreign = languageFault(source, text, hasCode) ?? copyFault(source, text);
  if (foreign !== null) return defect('wrong_language', foreign);
  const contradiction = isChecked ? null : contradictionIn({ request, answer: text, form });
  if (contradiction !== null) return defect('doubtful', contradiction);
  const cut = cutFault(form, text, hasCode);
  if (cut !== null) return defect('cut_off', cut);
  const misfit = isChecked ? null : formFault(form, text);
  if (misfit !== null) return defect('form_broken', misfit);
  if (!isProse(form) || form.writing === 'lower' || hasCode) return { defect: null };
  const surface = surfaceIn(source, text);
  if (surface.slips.length === 0 && !isCarelesslyBegun(source, surface)) return { defect: null };
  const isKnown = surface.slips.length > 0 && speaksEnglish(source);
  // Songs, stories and dialogues may speak as people do; only a careless beginning shows that the writer did not mean it.
  const isMeant = (form.kind === 'creative' && !surface.startsSmall) || ASKS_CASUALLY.test(prompt);
  if (isMeant || !isCareless(text, isKnown, surface)) return { defect: null };
  const isThin = form.kind === 'open' && wordingOf(text).length <= THIN_WORDS_MAX;
  return isThin
    ? defect('thin', 'is careless and says next to nothing')
    : defect('careless', carelessness(surface));
}

/** What programs and people write for an empty cell. */
const PLACEHOLDER_CELL =
  /^(?:nan|null|none|undefined|n\/a|#n\/a|<na>|nil|todo|tbd|[[(<](?:deleted|removed|empty|blank|none|null|n\/a)[\])>]|[-–—.…]{1,3}|k\. ?a\.|无|空)$/i;
/** What says that somebody gave no answer. */
const NO_ANSWER =
  /^(?:idk|dunno|see above|as above|same as above|same|ditto|siehe oben|s\. ?o\.|no sé|ver arriba|voir ci-dessus|不知道|同上)[.!?。…]{0,3}$/i;

/**
 * Whether an answer stands for an empty cell: in a column of sentences, or where neither the prompt nor the column's own
 * labels have its word.
 */
function standsForNothing({ prompt, form }: DiagnosisSource, text: string): boolean {
  const isPlaceholder = PLACEHOLDER_CELL.test(text);
  if (!isPlaceholder && !NO_ANSWER.test(text)) return false;
  if (isPlaceholder && form.isClosed === true && form.kind === 'open') return true;
  const isKnown = [...form.spelled, ...form.labels, ...form.options.values()].includes(text);
  // "NaN" is a number of programs.
  return (
    form.debris !== null && !isKnown && text !== 'NaN' && !prompt.toLowerCase().includes(text.toLowerCase())
  );
}
/** Reasoning that no answer follows. */
const OPEN_REASONING = /^<think(?:ing)?>(?![\s\S]*<\/think)/i;

/** The debris in an answer; null if there is none. */
export function debrisOf(
  { answer, prompt, request, form }: Pick<DiagnosisSource, 'answer' | 'prompt' | 'request' | 'form'>,
  hasCode = isCode(answer),
): Debris | null {
  const isNoProse = isNotation(form) || hasCode || answer.includes('```');
  const found = debrisIn({ answer, prompt, request, isCode: isNoProse, own: form.debris });
  const outer =
    form.outline === null ? null : outerTextIn({ answer: found?.rest ?? answer, prompt }, form.outline);
  if (outer === null || (found !== null && !outer.isCertain)) return found;
  return {
    kinds: [...(found?.kinds ?? []), 'outer'],
    why: found === null ? `has ${outer.why}` : `${found.why}, ${outer.why}`,
    rest: outer.rest,
    isCertain: outer.isCertain,
  };
}

/** Kinds of answers in which marks mean something. */
function isNotation({ kind }: AnswerForm): boolean {
  return kind === 'code' || kind === 'sql' || kind === 'json' || kind === 'table';
}

/**
 * Why a label is not written as its column writes it; null if it is, or if the column has no such label. A spelling that
 * the prompt has too is meant, and so are all in a column whose own labels differ by case or quotes alone.
 */
function spellingFault({ kind, spelled, options }: AnswerForm, text: string, prompt: string): string | null {
  if (kind !== 'label' || spelled.includes(text) || hasWord(prompt, text)) return null;
  if (new Set(spelled.map(foldLabel)).size < spelled.length) return null;
  const label = matchLabel({ labels: spelled, options }, text);
  return label === null || label === text ? null : `is not written as the other rows write it: ${label}`;
}

function defect(name: Defect, why: string): Diagnosis {
  return { defect: name, why };
}

/** Kinds of texts whose writing is looked at. */
function isProse({ kind }: AnswerForm): boolean {
  return kind === 'open' || kind === 'short' || kind === 'creative' || kind === 'translation';
}

/** How an answer is written; words that a well-written request has too are no slips. */
function surfaceIn({ prompt }: DiagnosisSource, text: string): Surface {
  const surface = surfaceOf(text);
  if (surface.slips.length === 0 || beginsSmall(prompt)) return surface;
  const asked = prompt.toLowerCase();
  return { ...surface, slips: surface.slips.filter((slip) => !hasWord(asked, slip.toLowerCase())) };
}

/** Whether an answer is English, whose chat words are known: some are normal words in other languages. */
export function speaksEnglish(
  source: Pick<DiagnosisSource, 'answer' | 'prompt' | 'form' | 'detectLanguage'>,
): boolean {
  if (source.form.kind === 'translation') return demandedLanguage(source) === 'en';
  return (languageOf(source, source.answer.trim()) ?? languageOf(source, source.prompt) ?? 'en') === 'en';
}

/**
 * Whether an answer that begins in lower case is carelessly written: its column is, or its question is, or it answers a
 * question for advice with a phrase, though its column does not; or it translates a whole sentence.
 */
function isCarelesslyBegun({ form, prompt, answer }: DiagnosisSource, { startsSmall }: Surface): boolean {
  if (!startsSmall || !/\s/.test(answer.trim()) || hasNotation(answer)) return false;
  if (form.writing === 'careless') return true;
  const isExpected = form.writing === 'plain' && !beginsSmall(prompt);
  if (form.kind === 'translation') return !isExpected && isSentence(sourceIn(prompt));
  const isAsked = asksForAdvice(prompt) || (beginsSmall(prompt) && !isClosed(prompt.trim()));
  return (form.kind === 'open' || form.kind === 'short') && !isExpected && isAsked;
}

/** A request for a text that is written as people speak, or with slips. */
const ASKS_CASUALLY =
  /\b(?:informal\w*|slang|dialect|colloquial\w*|misspell\w*|misspelt|typos?|spelling mistakes?|text(?:ing)? (?:message|style|speak)|chat (?:style|message)|lower ?case)\b/i;

/** Whether a text begins with a capital and ends with a final mark. */
const isSentence = (text: string): boolean => /^\s*["“«]?\p{Lu}[\s\S]*[.!?]\s*$/u.test(text);

/** The language code that an answer should have; null if nothing determines it. */
export function demandedLanguage({
  form,
  prompt,
  detectLanguage,
}: Pick<DiagnosisSource, 'form' | 'prompt' | 'detectLanguage'>): string | null {
  if (form.language !== null) return languageNamed(form.language);
  return form.kind === 'translation' || form.kind === 'creative'
    ? null
    : languageOf({ detectLanguage }, prompt);
}

/**
 * Why an answer is in another language than it is asked for; null if it is not, or if that is uncertain. The detector
 * often takes short texts, names and formulas for another language, so other signs have to agree with it.
 */
function languageFault(source: DiagnosisSource, text: string, hasCode: boolean): string | null {
  const { form, prompt, request } = source;
  const isTranslation = form.kind === 'translation';
  // In a column of translations only the language that a request names can be missed.
  if ((form.isBilingual && !isTranslation) || hasCode || hasNoLanguage(text)) return null;
  // An answer that says much of what its request says is in the same language, unless it is to be translated.
  if (!isTranslation && form.language === null && sharesWords(prompt, text)) return null;
  const demanded = demandedLanguage(source);
  if (demanded === null || !DETECTED_LANGUAGES.has(demanded)) return null;
  // A short request whose letters are those of English may be in any language.
  const asked = withoutCode(prompt);
  const isUnsure =
    form.language === null &&
    form.columnLanguage !== null &&
    demanded !== form.columnLanguage &&
    asked.length < SURE_CHARACTERS_MIN &&
    !/[^\x20-\x7e\s]/.test(asked);
  if (isUnsure) return null;
  const spoken = languageOf(source, text);
  if (spoken === null || demanded === spoken || areNear(demanded, spoken, text)) return null;
  if (isTranslation && !isSurelyOther(source, text, demanded, spoken)) return null;
  // An answer in the language of its column is right where the request was misread.
  if (form.language === null && spoken === form.columnLanguage) return null;
  // The answer may be in the language of its material: a letter that it replies to, or earlier turns.
  const material = request.replace(prompt, ' ').slice(0, LOOKED_AT_MAX);
  if (material.trim().length >= 20 && languageOf(source, material) === spoken) return null;
  // The request may ask about a language: "What do people say in French?"
  if (!isTranslation && spoken === languageOf(source, prompt) && !ASKED_IN_LANGUAGE.test(prompt)) return null;
  // A question may quote or request words of another language.
  if (form.language === null && isMixed(prompt)) return null;
  return `is in another language (${spoken}) than it is asked for (${demanded})`;
}

/** Languages of which a short text may be either, to the detector. */
const NEAR: readonly (readonly string[])[] = [
  ['bg', 'mk', 'sr', 'hr', 'sl', 'bs'],
  ['ru', 'uk', 'be', 'bg'],
  ['hi', 'mr', 'ne'],
  ['es', 'ca', 'pt', 'gl', 'it'],
  ['da', 'no', 'nb', 'nn', 'sv'],
  ['cs', 'sk'],
  ['ms', 'id'],
  ['fa', 'ar', 'ur', 'ku'],
  ['zh', 'ja'],
];
const NEAR_CHARACTERS_MAX = 120;

/** Whether a text is too short to tell two languages apart that are written alike. */
const areNear = (one: string, other: string, text: string): boolean =>
  text.length <= NEAR_CHARACTERS_MAX && NEAR.some((group) => group.includes(one) && group.includes(other));

/** What a program fills in. */
const PLACEHOLDER = /%\(\w{1,40}\)[a-z]|%[a-z]\b|\$?\{[^{}\n]{0,40}\}|<[^<>\n]{1,80}>/gi;
/** Shorter translations have names and words that many languages share. */
const TRANSLATION_CHARACTERS_MIN = 60;

/**
 * Whether a translation is in another language than it should be: it has no letter of the script of that language, or all of it is
 * in the other one.
 */
function isSurelyOther(
  { detectLanguage }: DiagnosisSource,
  text: string,
  demanded: string,
  spoken: string,
): boolean {
  const said = text.replaceAll(PLACEHOLDER, ' ').slice(0, REQUEST_CHARACTERS_MAX);
  const letter = letterOf(demanded);
  if (letter !== null && !letter.test(said)) return hasWords(said, LANGUAGE_WORDS_MIN);
  if (said.length < TRANSLATION_CHARACTERS_MIN) return false;
  const middle = said.indexOf(' ', said.length / 2);
  return (
    middle !== -1 &&
    [said, said.slice(0, middle), said.slice(middle)].every((part) => detectLanguage(part) === spoken)
  );
}

/** A letter of a language that is not written in Latin ones, of Korean in Hangul; null for another. */
function letterOf(language: string): RegExp | null {
  const script = findLanguage(language)?.script ?? 'Latn';
  if (script === 'Latn') return null;
  return letterOfScript(script === 'Kore' ? 'Hang' : script);
}

/** Commands have words of English, and no language. */
const COMMAND_WORDS_MAX = 20;
const isCommand = (text: string): boolean =>
  hasNotation(text) && !/[.!?]$/.test(text) && !hasMoreWords(text, COMMAND_WORDS_MAX);

/** Texts of fewer words in a script that many languages share are names, numbers and formulas. */
const LANGUAGE_WORDS_MIN = 6;
const hasNoLanguage = (text: string): boolean => {
  const looked = text.slice(0, REQUEST_CHARACTERS_MAX);
  if (isCommand(looked)) return true;
  return !hasWords(looked, LANGUAGE_WORDS_MIN) && !/[^\p{Script=Latin}\p{P}\p{N}\p{S}\s]/u.test(looked);
};

/** Whether a text has at least so many words. */
function hasWords(text: string, min: number): boolean {
  A_WORD.lastIndex = 0;
  for (let count = 0; count < min; count += 1) if (!A_WORD.test(text)) return false;
  return true;
}

const A_WORD = /\p{L}{2,}/gu;

/** The language of a shorter text is uncertain. */
const SURE_CHARACTERS_MIN = 100;
/** An answer in another language has hardly any words of its request: names. */
const SHARED_WORDS_MAX = 0.2;

function sharesWords(prompt: string, answer: string): boolean {
  const asked = prompt.slice(0, REQUEST_CHARACTERS_MAX).toLowerCase();
  const words = wordsIn(answer.slice(0, REQUEST_CHARACTERS_MAX));
  const known = new Set([...new Set(words)].filter((word) => hasWord(asked, word)));
  return words.filter((word) => known.has(word)).length > SHARED_WORDS_MAX * words.length;
}

/** Whether a text has a word, in the same case. Faster than reading all words of the text. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!isAt(LETTER_BEFORE, text, at) && !isAt(LETTER_BEHIND, text, at + word.length)) return true;
  }
  return false;
}

const LETTER_BEFORE = /(?<=\p{L})/uy;
const LETTER_BEHIND = /\p{L}/uy;
function isAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at;
  return sticky.test(text);
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];

/** Fewer words may be the same in two languages: names, titles. */
const COPIED_WORDS_MIN = 5;

/** Why a translation is its own source; null if it is not, or if the source may be in the demanded language already. */
function copyFault(source: DiagnosisSource, text: string): string | null {
  if (source.form.kind !== 'translation' || text.length > REQUEST_CHARACTERS_MAX) return null;
  const words = wordingOf(text);
  const asked = ` ${wordingOf(source.prompt.slice(0, REQUEST_CHARACTERS_MAX)).join(' ')} `;
  const isCopy = words.length >= COPIED_WORDS_MIN && asked.includes(` ${words.join(' ')} `);
  if (!isCopy || languageOf(source, text) === demandedLanguage(source)) return null;
  return /\b(?:already|unless|if (?:it|the text) is)\b/i.test(source.prompt)
    ? null
    : 'repeats the text instead of translating it';
}

/** Requests an answer in a language. */
const ASKED_IN_LANGUAGE =
  /\b(?:answer|reply|respond|write|rewrite|output|compose|draft|antworte|responde|réponds|schreibe?|escribe|écris)\b[^.?!\n]{0,80}\b(?:in(?:to)?|auf|en)\s+\p{Lu}|\b(?:explain|describe|summari[sz]e|tell|give|say)(?: (?:me|it|this|that|us))? in \p{Lu}|\bin \p{L}{4,12}(?: only)?[.!:]?\s*$/iu;

/** Words for translating and names of languages, in the most frequent languages of requests. */
const LANGUAGE_TALK =
  /translat|langu(?:age|e)|phrase|tradu[czijï]|traduis|traduire|übersetz|sprache|idioma|lengua|língua|lingua\b|vertaal|tłumacz|przetłumacz|översätt|översät|çevir|перевед|перевод|翻訳|翻译|翻譯|\b(?:english|spanish|french|german|italian|portuguese|dutch|japanese|chinese|latin|ingl[eéê]s\w*|englisch\w*|anglais\w*|español\w*|espanhol|spanisch\w*|espagnol\w*|franz[oö]\w*|franc[eéê]s\w*|français\w*|deutsch\w*|alem[aã]\w*|allemand\w*|tedesco|italian\w*|portugu\w*|engels\w*|angielsk\w*)\b|英語|英文|日本語/iu;

/** Whether a request may concern words of another language. */
function isMixed(prompt: string): boolean {
  return LANGUAGE_TALK.test(prompt.slice(0, REQUEST_CHARACTERS_MAX));
}

/** Small words that nothing ends with, in the languages whose words of that spelling are no others. */
const DANGLING =
  /(?:\b(?:the|a|and|or|than|but|because|if|while|your|his|their|its|my|our|und|der|das|et|les|des|une|ein|eine|del)|,)$/;
/** Prepositions, which may end a title or a question. */
const STRANDED = /\b(?:of|to|with|for|in|at|by|from|that|which|when|into)$/;

/** An end that names the option of a multiple choice. */
const NAMES_OPTION = /\b(?:answer|option|choice|ans)\b[^.!?\n]{0,30}\b(?:[A-H]|\d{1,2})$/i;

/** Whether a line ends as code, a post with its tags, or an address does, which have no final mark. */
function endsOtherwise(line: string): boolean {
  const lastWord = line.slice(line.lastIndexOf(' ') + 1);
  return /[;{}<>=]$|(?:^|\s)(?:#|\/\/)/.test(line) || /^(?:https?:\/\/|#)/.test(lastWord);
}

/** Why an answer lacks the mark with which its column ends; null if it does not, or if it is a sentence. */
function lastMarkFault({ lastMark }: AnswerForm, text: string): string | null {
  return lastMark === null || text.includes(lastMark, text.length - 4) || isSentence(text)
    ? null
    : `lacks the mark with which the other answers end: ${lastMark}`;
}

/** Why an answer looks truncated; null if it does not. */
function cutFault(form: AnswerForm, text: string, hasCode: boolean): string | null {
  if (form.parts !== null && !isLengthNoun(form.parts.noun) && text.includes('\n')) {
    const count = partCount(text, form.parts.noun);
    if (count !== null && count < form.parts.count) {
      return `stops at ${form.parts.noun} ${count} of ${form.parts.count}`;
    }
  }
  if (form.closing !== null && !text.includes(form.closing)) {
    return `lacks the end that the other answers have: ${form.closing}`;
  }
  const lacking = lastMarkFault(form, text);
  if (lacking !== null) return lacking;
  // A file may have any number of them in its own texts.
  if (!hasCode && (text.match(/```/g)?.length ?? 0) % 2 === 1)
    return 'has a block of code that is not closed';
  const isUnclosed = !isClosed(text);
  const lastLine = text.slice(text.lastIndexOf('\n') + 1).trim();
  // One careless line may end in anything; a text in whole sentences lacks the end of its last one.
  const isWritten = /^[\p{Lu}\p{N}"“«¿¡]/u.test(text) && wordingOf(text).length >= 6;
  // Results and formulas end without punctuation.
  if (/\d[%)\]\s]*$/.test(lastLine)) return null;
  if (
    isWritten &&
    ((form.isClosed !== false && DANGLING.test(lastLine)) ||
      (form.isClosed === true && /[\n.!?]/.test(text) && STRANDED.test(lastLine))) &&
    !/:$/.test(lastLine)
  )
    return 'breaks off in the middle of a sentence';
  if (isWritten && form.isClosed === true && endsWithin(lastLine, form.innerWords)) {
    return 'breaks off in the middle of a sentence';
  }
  if (!isUnclosed || !isWritten || endsOtherwise(lastLine) || NAMES_OPTION.test(lastLine)) return null;
  // A point behind a single letter belongs to a name.
  const hasWholeSentence = /(?:[\p{L}\p{N})][\p{Ll}\p{N})]|[^\P{L}\p{Lu}\p{Ll}])[.!?。！？]["”’)]?\s/u.test(
    text,
  );
  return form.isClosed === true && hasWholeSentence && lastLine.split(/\s+/).length >= 3
    ? 'breaks off in the middle of a sentence'
    : null;
}

function carelessness({ slips, startsSmall, isUnclosed }: Surface): string {
  const seen = [
    ...(slips.length > 0 ? [`${slips.length} misspelt or chat words`] : []),
    ...(startsSmall ? ['a small first letter'] : []),
    ...(isUnclosed ? ['no closing mark'] : []),
  ];
  return `is carelessly written: ${seen.join(', ')}`;
}
