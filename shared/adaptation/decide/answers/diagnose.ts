import { languageNamed } from '#shared/languages/decide/catalog.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { degeneracyOf } from '../lint/degenerate.ts';
import { formFault, partCount, sentenceCount } from './check-form.ts';
import { evidenceOf } from './evidence.ts';
import { wordingOf } from './facts.ts';
import type { Fault } from './fault.ts';
import { isBareNumber } from './numbers.ts';
import { type AnswerForm, isExact } from './read-form.ts';
import { isCareless, isClosed, type Surface, surfaceOf } from './surface.ts';

/**
 * Defects that a program can detect. `form_broken`: not in the demanded form. `proven_wrong`: a computation or the
 * text contradicts it. `thin`: careless and almost empty. `careless`: complete but badly written.
 */
export type Defect =
  | 'empty'
  | 'form_broken'
  | 'proven_wrong'
  | 'degenerate'
  | 'wrong_language'
  | 'cut_off'
  | 'thin'
  | 'careless';

export type Diagnosis = { readonly defect: null } | ({ readonly defect: Defect } & Fault);

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

/**
 * Finds the most severe defect of an answer, without a model.
 * @param isProofKnown whether `evidenceOf` was asked about this answer and does not find it wrong
 */
export function diagnose(source: DiagnosisSource, isProofKnown = false): Diagnosis {
  const { request, prompt, answer, form } = source;
  const text = answer.trim();
  if (text === '') return defect('empty', 'is empty');
  if (isExact(form)) {
    const fault = formFault(form, text);
    if (fault !== null)
      return { defect: 'form_broken', why: fault, expected: computedUnit(request, text, form) };
    return (isProofKnown ? null : proven(request, text, form)) ?? { defect: null };
  }
  const degeneracy = degeneracyOf(text.slice(0, LOOKED_AT_MAX), prompt.slice(0, LOOKED_AT_MAX));
  if (degeneracy !== null && !/^has no words/.test(degeneracy)) return defect('degenerate', degeneracy);
  const foreign = languageFault(source, text) ?? copyFault(source, text);
  if (foreign !== null) return defect('wrong_language', foreign);
  const wrong = isProofKnown ? null : proven(request, text, form);
  if (wrong !== null) return wrong;
  const cut = cutFault(form, text);
  if (cut !== null) return defect('cut_off', cut);
  const misfit = formFault(form, text);
  if (misfit !== null) return defect('form_broken', misfit);
  // The known chat words are English, and some are normal words in other languages.
  const isKnown = (languageOf(source, text) ?? languageOf(source, prompt) ?? 'en') === 'en';
  if (form.kind === 'creative' && isKnown) {
    const surface = surfaceOf(text);
    return surface.slips.length > 0 ? defect('careless', carelessness(surface)) : { defect: null };
  }
  if (!isProse(form)) return { defect: null };
  const surface = surfaceOf(text);
  if (!isCareless(text, isKnown, surface)) return { defect: null };
  const isThin = form.kind === 'open' && wordingOf(text).length <= THIN_WORDS_MAX;
  return isThin
    ? defect('thin', 'is careless and says next to nothing')
    : defect('careless', carelessness(surface));
}

/** A bare number with the unit that the request names, or the right number with it, if a computation proves that one. */
function computedUnit(request: string, text: string, form: AnswerForm): string | null {
  if (form.kind !== 'number' || !form.needsUnit || form.unit === null || !isBareNumber(text)) return null;
  const answer = `${text} ${form.unit}`;
  const evidence = evidenceOf({ request, answer, form });
  if (evidence.verdict === 'wrong') return evidence.expected;
  return evidence.verdict === 'right' ? answer : null;
}

function defect(name: Defect, why: string): Diagnosis {
  return { defect: name, why, expected: null };
}

/** Verse, slogans and dialogues may begin in lower case and end without punctuation; bare facts are no sentences. */
function isProse({ kind }: AnswerForm): boolean {
  return kind === 'open' || kind === 'short' || kind === 'translation';
}

function proven(request: string, text: string, form: AnswerForm): Diagnosis | null {
  const evidence = evidenceOf({ request, answer: text, form });
  return evidence.verdict === 'wrong'
    ? { defect: 'proven_wrong', why: evidence.why, expected: evidence.expected }
    : null;
}

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

function languageFault(source: DiagnosisSource, text: string): string | null {
  const demanded = demandedLanguage(source);
  const spoken = languageOf(source, text);
  if (demanded === null || spoken === null || demanded === spoken) return null;
  // The detector often confuses short texts with a similar language.
  if (
    (text.slice(0, LOOKED_AT_MAX).match(/\p{L}{2,}/gu)?.length ?? 0) < 6 &&
    !/[^\p{Script=Latin}\p{P}\p{N}\s]/u.test(text)
  )
    return null;
  if (source.form.isBilingual) return null;
  // The answer may be in the language of its material: a letter that it replies to, or earlier turns.
  const material = source.request.replace(source.prompt, ' ').slice(0, LOOKED_AT_MAX);
  if (material.trim().length >= 20 && languageOf(source, material) === spoken) return null;
  // The request may ask about a language: "What do people say in French?"
  if (
    source.form.kind !== 'translation' &&
    spoken === languageOf(source, source.prompt) &&
    !ASKED_IN_LANGUAGE.test(source.prompt)
  )
    return null;
  // A question may quote or request words of another language.
  if (source.form.language === null && isMixed(source.prompt)) return null;
  return `is in another language (${spoken}) than it is asked for (${demanded})`;
}

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

const DANGLING =
  /(?:\b(?:the|a|an|of|to|and|or|with|for|in|on|at|by|from|that|which|is|are|was|were|as|than|but|because|if|when|while|your|his|her|their|its|my|our|this|these|into|about|after|before|will|can|should|must|de|la|el|los|las|y|und|der|die|das|et|le|les|des|du|un|une|ein|eine)|[,:;–—-])$/i;

/** Why an answer looks truncated; null if it does not. */
function cutFault(form: AnswerForm, text: string): string | null {
  if (form.parts !== null && text.includes('\n')) {
    const count = partCount(text, form.parts.noun);
    if (count !== null && count < form.parts.count) {
      return `stops at ${form.parts.noun} ${count} of ${form.parts.count}`;
    }
  }
  if ((text.match(/```/g)?.length ?? 0) % 2 === 1) return 'has a block of code that is not closed';
  const isUnclosed = !isClosed(text);
  const lastLine = text.slice(text.lastIndexOf('\n') + 1).trim();
  // One careless line may end in anything; a text in whole sentences lacks the end of its last one.
  const isWritten = /^[\p{Lu}\p{N}"“«¿¡]/u.test(text) && wordingOf(text).length >= 6;
  // Results and formulas end without punctuation.
  if (/\d[%)\]\s]*$/.test(lastLine)) return null;
  if (isWritten && DANGLING.test(lastLine) && !/:$/.test(lastLine))
    return 'breaks off in the middle of a sentence';
  if (/[…]$|\.\.\.$/.test(text) && isWritten && sentenceCount(text) >= 2 && form.kind !== 'creative')
    return 'trails off';
  if (!isUnclosed || !isWritten) return null;
  const hasWholeSentence = /[.!?。！？]["”’)]?\s/.test(text);
  return hasWholeSentence && lastLine.split(/\s+/).length >= 3
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
