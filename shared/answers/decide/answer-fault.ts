import { formFault } from './check-form.ts';
import { diagnose } from './diagnose.ts';
import { contradictionIn, extractionFault } from './evidence.ts';
import { addedNumbers, differsInNegation, hasNegation, lostFacts, wordingOf } from './facts.ts';
import { isCodeLike } from './read-form.ts';
import type { StandingAnswer } from './standing-answer.ts';
import { tidy } from './surface.ts';

export interface PreservationRules {
  /** Numbers, names, links and placeholders of the original stay. */
  readonly keepsFacts?: boolean;
  /** Numbers and links of the original stay; names may be spelled as in another language. */
  readonly keepsNumbers?: boolean;
  /** No number that is in neither the original nor the request; no added or removed negation. */
  readonly addsNone?: boolean;
  /** A shorter answer was asked for: it may leave out what the original states, and adds no number and no negation. */
  readonly shortens?: boolean;
  /** Minimum share of the original's content words. */
  readonly keepsWords?: number;
}

/** Text about an answer instead of an answer. */
const ABOUT =
  /^(?:the|this|your|that|here is an?|it is an?) (?:\w+ ){0,2}?(?:draft|answer|response|text|recipe|code|function|script|query|plan|joke|poem|review|letter|e-?mail|message|request|prompt|user|author|writer|speaker|statement|template|placeholders?|option|label)s?\b[^.\n]{0,60}?\b(?:provide[sd]?|describe[sd]?|explain[s]?|is about|asks?|states?|contains?|outlines?|given|asked|wants?|should be|is correct|is incorrect|is not|does not|can be|has been|was)\b/i;

/**
 * Returns why an answer may not replace the original, as the end of a sentence "it …"; null if it may. The rules
 * cover form, computation, facts, and being an answer at all.
 */
export function faultOf(
  { request, prompt, original, form, detectLanguage }: StandingAnswer,
  answer: string,
  keeping: PreservationRules,
): string | null {
  const text = answer.trim();
  const broken = formFault(form, text);
  if (broken !== null) return broken;
  const source = { request, answer: text, form };
  const contradiction = contradictionIn(source) ?? extractionFault(source);
  if (contradiction !== null) return contradiction;
  const seen = diagnose(
    { request, prompt, answer: text, form, detectLanguage },
    { isChecked: true, isWritten: true },
  );
  if (seen.defect !== null) return seen.why;
  if (ABOUT.test(text) && !ABOUT.test(original)) return 'speaks about an answer instead of giving it';
  if (original.includes('\n') && isCodeLike(original) && !isCodeLike(text)) return 'lost the code';
  if (form.person === 'first' && !FIRST_PERSON.test(text)) return 'is not in the first person';
  if (
    FIRST_PERSON.test(original) &&
    wordingOf(original).length >= 12 &&
    !FIRST_PERSON.test(text) &&
    keeping.keepsFacts
  ) {
    return 'changed the person who speaks';
  }
  if (keeping.keepsFacts || keeping.keepsNumbers) {
    const lost = lostFacts(original, text).filter(
      (fact) => keeping.keepsFacts || /\d|[`{}[\]<>@:]/.test(fact),
    );
    if (lost.length > 0) return `lost what the original states: ${lost.slice(0, 3).join(', ')}`;
  }
  if (keeping.addsNone || keeping.shortens) {
    const [added] = addedNumbers([original, request], text);
    if (added !== undefined) return `states a number that nobody gave: ${added}`;
    if (
      differsInNegation(original, text) &&
      (keeping.addsNone || hasNegation(text)) &&
      !/\b(?:dont|doesnt|cant|wont|isnt|didnt|arent|wasnt|couldnt|wouldnt|shouldnt|hasnt|havent|werent)\b/i.test(
        original,
      )
    ) {
      return 'denies what the original says, or the reverse';
    }
  }
  if (keeping.keepsWords !== undefined) {
    const share = contentShared(original, text);
    if (share < keeping.keepsWords) return `takes up ${Math.round(share * 100)} % of what the original says`;
  }
  return null;
}

const FIRST_PERSON = /\b(?:I|I'm|I've|my|me|we|our|us|ich|wir|mein\w*|yo|mi|nosotros|je|nous|mon|ma)\b/;

const STOPWORDS = new Set(
  'the a an and or but so to of in on at for with it its is are was be you your u ur they them then than that this just not no do does dont if when as by from some stuff like really very too also can will would should have has had get go put use try make'.split(
    ' ',
  ),
);

/** Content words of an original that are searched for; each is compared with every word of its answer. */
const CONTENT_WORDS_MAX = 200;

/** Share of the content words of a text, by their first five letters, that another text contains. */
function contentShared(original: string, answer: string): number {
  const stem = (word: string): string => word.slice(0, Math.min(5, Math.max(3, word.length - 2)));
  const content = [...new Set(wordingOf(tidy(original)).filter((word) => !STOPWORDS.has(word)))].slice(
    0,
    CONTENT_WORDS_MAX,
  );
  if (content.length === 0) return 1;
  const lower = [...new Set(wordingOf(answer))];
  const taken = content.filter((word) => lower.some((other) => other.startsWith(stem(word))));
  return taken.length / content.length;
}
