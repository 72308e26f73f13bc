import { languageNamed } from '#shared/languages/decide/catalog.ts';
import { own } from '#shared/platform/own.ts';
import type { AnswerProfile, Writing } from './answer-profile.ts';
import { foldLabel, matchLabel } from './labels.ts';
import { foldWidth, isBareNumber } from './numbers.ts';
import { REQUEST_CUES } from './request-cues.ts';
import { slipsOf } from './surface.ts';
import { hasMoreWords, isWhiteSpace } from './words.ts';

/**
 * The kind of answer that a request demands. `open`: prose that explains. `short`: a fact in a few words. `creative`: a
 * text whose wording is the point (poem, letter, recipe, story). The others are exact: the answer must match exactly.
 */
export type FormKind =
  | 'open'
  | 'short'
  | 'creative'
  | 'label'
  | 'number'
  | 'string'
  | 'json'
  | 'table'
  | 'code'
  | 'sql'
  | 'translation';

export interface AnswerForm {
  readonly kind: FormKind;
  /** The closed set of allowed answers, verbatim; empty if there is none. */
  readonly labels: readonly string[];
  /** The column's own spelling of its frequent answers; empty if it has no closed set. */
  readonly spelled: readonly string[];
  /** The options of a multiple choice, by letter. */
  readonly options: ReadonlyMap<string, string>;
  readonly codeLanguage: 'python' | 'javascript' | 'other' | null;
  readonly jsonKeys: readonly string[] | null;
  /** Whether the dataset's answers are in another language than its requests. */
  readonly isBilingual: boolean;
  /** The commonest language of the dataset's requests; null if none is. */
  readonly columnLanguage: string | null;
  /** How the dataset's answers are written. */
  readonly writing: Writing;
  /** The kinds of debris that are the dataset's own form; null if it is too small to say. */
  readonly debris: AnswerProfile['debris'];
  /** How the dataset's answers are laid out; null if it is too small to say. */
  readonly outline: AnswerProfile['outline'];
  /** Whether the dataset's equations follow rules of their own. */
  readonly hasOwnArithmetic: boolean;
  /** Whether the dataset's answers end with a final mark; null if too few show it. */
  readonly isClosed: boolean | null;
  /** Words with which hardly any sentence of the dataset's answers ends. */
  readonly innerWords: ReadonlySet<string>;
  /** The words before the result with which the column's answers end; null if there are none. */
  readonly closing: string | null;
  /** The mark with which nearly all of the column's answers end; null if there is none. */
  readonly lastMark: string | null;
  /** English name of the answer's language, if the request names one. */
  readonly language: string | null;
  /** Allowed number of words. */
  readonly words: { readonly min: number; readonly max: number } | null;
  readonly sentences: number | null;
  /** Required parts: days, steps, items. */
  readonly parts: { readonly noun: string; readonly count: number } | null;
  readonly endsWith: string | null;
  /** Whether the answer must end with its result, as a number. */
  readonly endsWithNumber: boolean;
  /** Whether a number needs its unit. */
  readonly needsUnit: boolean;
  /** The unit of a number, if the request names one and no other. */
  readonly unit: string | null;
  readonly startsWith: string | null;
  readonly person: 'first' | 'second' | 'third' | null;
  /** Whether the request forbids text besides the answer. */
  readonly isExclusive: boolean;
  /** Whether the request asks for two incompatible forms. */
  readonly isContradictory: boolean;
}

const EXACT: ReadonlySet<FormKind> = new Set(['label', 'number', 'string', 'json', 'table', 'code', 'sql']);

/** Whether an answer of this form must match exactly. */
export function isExact({ kind }: Pick<AnswerForm, 'kind'>): boolean {
  return EXACT.has(kind);
}

export interface FormSource {
  /** The question, with the instruction above it. */
  readonly request: string;
  /** What stands beside the request: a schema, a text. */
  readonly context?: string;
  /** The current answer; it shows the form if the request does not determine it. */
  readonly answer: string;
  readonly profile: AnswerProfile;
}

/** Forms of which an answer has one. */
const EXCLUSIVE_FORMS = [
  REQUEST_CUES.onlyJson,
  REQUEST_CUES.onlyTable,
  REQUEST_CUES.onlyWord,
  REQUEST_CUES.poem,
] as const;

/** Instructions are at the beginning or the end of a request, with material in between. */
const HEAD_CHARACTERS = 3_000;
const TAIL_CHARACTERS = 1_500;

/**
 * Determines the form of an answer: from the request, else from the dataset's profile, else from the current answer.
 */
export function readForm({ request, context = '', answer, profile }: FormSource): AnswerForm {
  const whole = foldWidth(
    request.length > HEAD_CHARACTERS + TAIL_CHARACTERS
      ? `${request.slice(0, HEAD_CHARACTERS)}\n${request.slice(-TAIL_CHARACTERS)}`
      : request,
  );
  const asked = withoutMaterial(whole);
  const shown = foldWidth(answer.trim().slice(0, HEAD_CHARACTERS));
  const options = readOptions(whole);
  const notation: AskedNotation = {
    code: asksForCode(asked),
    json: asksForJson(asked, shown),
    table: asksForTable(asked, shown),
  };
  const labels = readLabels({ asked, shown, options, profile, notation });
  const words = readWords(asked);
  const form: AnswerForm = {
    kind: 'open',
    labels,
    spelled: profile.spelled,
    options,
    codeLanguage: readCodeLanguage(asked, shown, notation),
    jsonKeys: readKeys(profile, shown),
    isBilingual: profile.isBilingual,
    columnLanguage: profile.language,
    writing: profile.writing,
    isClosed: profile.isClosed,
    innerWords: profile.innerWords,
    closing: profile.closing,
    lastMark: profile.lastMark,
    debris: profile.debris,
    outline: profile.outline,
    hasOwnArithmetic: profile.hasOwnArithmetic,
    language: readLanguage(asked),
    words,
    sentences: countOf(REQUEST_CUES.sentences.exec(asked)?.[1]),
    parts: readParts(asked),
    endsWith: readQuoted(asked, REQUEST_CUES.ending),
    startsWith: readQuoted(asked, REQUEST_CUES.beginning),
    endsWithNumber: REQUEST_CUES.numberLast.test(asked),
    needsUnit: REQUEST_CUES.withUnit.test(asked),
    unit: readUnit(asked),
    person: readPerson(asked),
    isExclusive:
      /\b(?:only|just|nothing (?:else|but|more)|no (?:explanation|other text|extra|commentary|prose|punctuation)|without (?:explanation|any))\b/i.test(
        asked,
      ),
    isContradictory: false,
  };
  const hasSchema =
    REQUEST_CUES.schema.test(whole) || REQUEST_CUES.schema.test(context.slice(0, HEAD_CHARACTERS));
  const kind = readKind(form, { asked, whole, shown, profile, notation, hasSchema });
  return { ...form, kind, isContradictory: isContradictory(kind, form, asked) };
}

/**
 * A request without long quotations: instructions in them concern something else. Short quotations stay, because they
 * name labels and endings.
 */
function withoutMaterial(text: string): string {
  return (
    text
      .replaceAll(/```[\s\S]{0,3000}?```/g, ' ``` ')
      .replaceAll(/"[^"\n]{40,2000}"/g, ' "…" ')
      // At most 4,600 characters.
      .replaceAll(/“[^”\n]{40,2000}”/g, ' "…" ')
      // At most 4,600 characters.
      .replaceAll(/<<<[\s\S]{0,3000}?>>>/g, ' "…" ')
  );
}

/** Notations that a request asks for. */
type AskedNotation = Readonly<Record<'code' | 'json' | 'table', boolean>>;

interface FormContext {
  readonly asked: string;
  readonly whole: string;
  readonly shown: string;
  readonly profile: AnswerProfile;
  readonly notation: AskedNotation;
  /** Whether tables of a database are defined beside the request. */
  readonly hasSchema: boolean;
}

function readKind(form: Omit<AnswerForm, 'kind'>, context: FormContext): FormKind {
  const { asked, whole, shown, profile, notation } = context;
  if (form.labels.length > 0) return 'label';
  if (/^(?:```sql\s+)?(?:select|with \w+ as)\b[\s\S]{0,400}\bfrom\b/i.test(shown)) return 'sql';
  if (asksForSql(context)) return 'sql';
  if (notation.code || (form.codeLanguage !== null && isCodeLike(shown))) return 'code';
  const isOfKeys = profile.jsonKeys !== null && (shown === '' || /^[[{]/.test(shown));
  if (isOfKeys || notation.json) return 'json';
  if (notation.table) return 'table';
  if (
    form.language !== null &&
    /\btranslat|\b(?:say|write|put) (?:this|that|it|the following)\b|traduc|traduis|traduz|übersetz|翻訳/i.test(
      asked,
    )
  ) {
    return 'translation';
  }
  if (isExpression(asked)) return 'number';
  if (
    asksForString(asked, form) ||
    (profile.isTerse && !profile.isNumeric && !explains(asked) && isTerseOrEmpty(shown))
  )
    return 'string';
  if (
    asksForNumber(asked, shown) ||
    (profile.isNumeric && !explains(asked) && (shown === '' || isBareNumber(shown)))
  )
    return 'number';
  if (isCreative(asked)) return 'creative';
  if (isExtraction(asked) && shown.length < 200) return 'string';
  if (isClosedQuestion(whole) && !explains(asked)) return 'short';
  // A bare phrase under a request that asks for no explanation is the demanded phrase.
  return isBarePhrase(shown) && !asksOpenly(whole) ? 'string' : 'open';
}

/** Whether the answer to a request is reasons, steps or advice. */
function explains(asked: string): boolean {
  return /\b(?:why|explain|describe|how (?:do|does|did|can|could|should|would|to)\b|reasons?|step by step|show (?:your|the|all|each|every) (?:work|steps?|working|calculation)|your steps|give your reasoning|in detail|discuss|compare|advice|tips|what (?:should|can|could) (?:i|we|you))\b/i.test(
    asked,
  );
}

/** Longer requests hold material, whose words ask for nothing. */
const PLAIN_QUESTION_MAX = 300;
const ADVICE =
  /^(?:(?:so|and|but|ok|hi|hello|please|also|then)[,!]?\s+){0,2}(?:how (?:do|can|could|should|would|to)\b|how \w+ (?:should|can|could|do|would) (?:i|we|you)\b|explain\b|describe\b|what (?:should|can|could) (?:i|we|you)\b)/i;

/** Whether a request is a question for steps or advice, and nothing else. */
export function asksForAdvice(prompt: string): boolean {
  const text = prompt.trim();
  return (
    text.length <= PLAIN_QUESTION_MAX &&
    !text.includes('\n') &&
    text.split(/(?<=[.!?:])\s+/).some((sentence) => ADVICE.test(sentence))
  );
}

const AUXILIARY =
  /^(?:is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|may|must|isn't|aren't|doesn't|don't)\b/i;
const FACT_QUESTION =
  /^(?:who|whose|whom|when|where|which|what (?:is|was|are|were) (?:the|its|his|her|their) (?!(?:difference|point|purpose|reason|best|meaning|benefit|idea|use|role|advantage|disadvantage|effect|cause|process|way|relationship|significance|importance|function)s?\b)|what (?:year|day|date|time|colou?r|number|city|country|language|animal|planet|element|currency|instrument|unit|gas|metal|organ|bird|ocean|river|month|kind of|type of)|in (?:what|which)|on (?:what|which)|how (?:many|much|old|tall|long|far|high|deep|fast|heavy|big|large|often|wide)|name (?:the|one|a|an)|at (?:what|which))\b/i;

/** A question whose answer is one fact. */
function isClosedQuestion(text: string): boolean {
  const isClosed = (sentence: string): boolean =>
    FACT_QUESTION.test(sentence) || (AUXILIARY.test(sentence) && sentence.includes('?'));
  return isClosed(lastSentence(text)) || isClosed(firstSentence(text));
}

const SENTENCE_END = /[.!?:\n](?=\s)/;

function firstSentence(text: string): string {
  const trimmed = text.trim();
  const end = trimmed.search(SENTENCE_END);
  return end === -1 ? trimmed : trimmed.slice(0, end + 1).trim();
}

function lastSentence(text: string): string {
  const trimmed = text.trim();
  for (let at = trimmed.length - 1; at > 0; at -= 1) {
    if (isWhiteSpace(trimmed, at) && SENTENCE_ENDS.includes(trimmed.charAt(at - 1)))
      return trimmed.slice(at).trim();
  }
  return trimmed;
}

const SENTENCE_ENDS = '.!?:\n';

/** Whether an answer is as short as those of its column. */
const isTerseOrEmpty = (shown: string): boolean => shown.length <= 60 && !hasMoreWords(shown, 3);

/** Whether a request asks for prose at all. */
function asksOpenly(text: string): boolean {
  return (
    explains(text) ||
    /\b(?:what|how|why|tell|describe|give|suggest|recommend|help|advise|should|mean|difference|know about|anything|opinion|think)\b/i.test(
      text,
    )
  );
}

/** A few words without sentence punctuation or chat words. */
function isBarePhrase(shown: string): boolean {
  return shown !== '' && !hasMoreWords(shown, 6) && !/[.!?\n]/.test(shown) && slipsOf(shown).length === 0;
}

/** The required keys of an answer: those of its dataset, unless the answer itself has others. */
function readKeys(profile: AnswerProfile, shown: string): readonly string[] | null {
  if (profile.jsonKeys === null) return null;
  try {
    const own: unknown = JSON.parse(shown);
    if (typeof own !== 'object' || own === null || Array.isArray(own)) return null;
    return Object.keys(own).sort();
  } catch {
    return profile.jsonKeys;
  }
}

function isExtraction(asked: string): boolean {
  return /\b(?:extract|pull out|copy out|quote (?:the|only)|find (?:the|all|every) [^.\n]{1,40} (?:in|from|mentioned)|identify the|return (?:the|only|just)|who is (?:mentioned|named)|which (?:person|word|name|city|date))\b/i.test(
    asked,
  );
}

function isCreative(asked: string): boolean {
  return (
    /\b(?:write|tell|compose|create|make(?: up)?|draft|give|invent|come up with|plan|rewrite|turn|retell|generate|produce|fill|complete)\b[^.!?\n]{0,80}\b(?:poem|haiku|limerick|song|lyrics?|verse|joke|story|tale|fable|riddle|letter|e-?mail|mail|message|note|review|recipe|speech|toast|slogan|tagline|dialogue|conversation|scene|diary|essay|article|post|tweet|caption|plan|schedule|itinerary|menu|advert|ad|invitation|apology|template|placeholders?|voice|person|style|tone|words of|paragraph|description|bio|summary|headline|title)\b/i.test(
      asked,
    ) ||
    /\b(?:rewrite|rephrase|paraphrase|reword|summari[sz]e|sum up|shorten|proofread|correct the)\b/i.test(
      asked,
    )
  );
}

const LETTER_SETS = /\b((?:\(?[A-F]\)?(?:\s*,\s*|\s*\/\s*|,?\s+or\s+|,?\s+and\s+)){1,5}\(?[A-F]\)?)\b/;

/** The options of a multiple choice by their letter. */
function readOptions(text: string): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  // The second option has this letter, or there is one at most.
  if (!/[Bb][).:]/.test(text)) return options;
  for (const match of text.matchAll(
    // At most 4,600 characters.
    /(?:^|\n|\s{2,}|;\s*|[?.:]\s+|,\s+)\(?([A-Ha-h])[).:]\s*([^\n;]{1,200}?)(?=\s{2,}|\n|;|[,.]?\s+\(?[A-Ha-h][).:]\s|$)/g,
  )) {
    const [, letter = '', meaning = ''] = match;
    if (!options.has(letter)) options.set(letter, meaning.trim());
  }
  const letters = [...options.keys()];
  const first = letters[0] ?? '';
  const isSequence =
    (first === 'A' || first === 'a') &&
    letters.every((letter, n) => letter.charCodeAt(0) === first.charCodeAt(0) + n);
  return letters.length >= 2 && isSequence ? options : new Map();
}

const LABEL = `(?:[nN]/[aA]\\b|"[^"\\n]{1,30}"|'[^'\\n]{1,30}'|“[^”\\n]{1,30}”|\`[^\`\\n]{1,30}\`|[\\p{L}\\p{N}][\\p{L}\\p{N}_-]{0,24}(?: (?!or\\b|and\\b|if\\b|for\\b|as\\b|when\\b|depending\\b|to\\b|in\\b|about\\b|based\\b)[\\p{L}\\p{N}_-]{1,24}){0,2})`;
const LIST = `(${LABEL}(?:\\s{0,2}(?:,|/|\\|)\\s{0,2}${LABEL}){0,11}\\s{0,2}(?:,?\\s{1,2}(?:or|and|o|ou|oder|と|か)\\s{1,2}|\\s{0,2}[/|]\\s{0,2})${LABEL})`;

/** "Yes or No:" before the only question. */
const LEADING_SET =
  /^(yes or no|Yes or No|YES or NO|true or false|True or False|TRUE or FALSE):(?![\s\S]*\1:)/;

/**
 * What a text has where a set may be named: a quick look, since the expressions are slow on each text without one. It
 * has every verb of theirs, with the long s and the Kelvin sign, which their flags `iu` take for s and k.
 */
const ORDER =
  /answer|re[sſ]pond|reply|output|[sſ]ay|print|return|write|choo[sſ]e|[sſ]elect|pic[k\u212A]|u[sſ]e|label|cla[sſ][sſ]ify|mar[k\u212A]|tag|antworte|répond[sſ]/i;
const COLON = /[:：]/;
const AS = /a[sſ] /i;
const BRACKET = /[(（[]/;

/** Words before a closed set. */
const NAMED_SETS: readonly (readonly [RegExp, RegExp])[] = [
  [
    ORDER,
    // At most 4,600 characters.
    new RegExp(
      `\\b(?:answer|respond|reply|output|say|print|return|write|choose|select|pick|use|label(?: it| this| them)?|classify(?: it| this)?|mark(?: it)?|tag(?: it)?|responde|antworte|réponds)\\b[^.\\n]{0,60}?\\b(?:with|as|only|either|from|between|of|just|exactly|con|mit|par|solo|nur)\\b:?\\s{1,2}(?:one of\\s{1,2}|only\\s{1,2}|just\\s{1,2}|either\\s{1,2}|exactly\\s{1,2}|with\\s{1,2}|as\\s{1,2}|con\\s{1,2}|mit\\s{1,2}|par\\s{1,2}|the (?:word|label)s?\\s{1,2})*:?\\s{0,2}${LIST}(?=[\\s.,;:!?)]|$)`,
      'iu',
    ),
  ],
  [
    ORDER,
    // At most 4,600 characters.
    new RegExp(
      `\\b(?:answer|respond|reply|output|print|return|say)(?: only| just| exactly| either)?:?\\s{1,2}${LIST}(?=[\\s.,;:!?)]|$)`,
      'iu',
    ),
  ],
  [
    COLON,
    // At most 4,600 characters.
    new RegExp(
      `\\b(?:labels?|categories|classes|options|choices|possible (?:answers|values|labels)|one of(?: the following)?|etiquetas?|opciones|categorías?|選択肢|ラベル)\\b[^:\\n]{0,40}[:：]\\s{0,2}${LIST.replace('|\\s{0,2}[/|]\\s{0,2})', '|\\s{0,2}(?:[/|,、・]|:)\\s{0,2})')}`,
      'iu',
    ),
  ],
  // At most 4,600 characters.
  [AS, new RegExp(`\\bas (?:either )?${LIST}(?=[\\s.,;:!?)]|$)`, 'iu')],
  // At most 4,600 characters.
  [BRACKET, new RegExp(`[(（\\[]\\s{0,2}${LIST}\\s{0,2}[)）\\]]`, 'u')],
];

interface LabelContext extends Pick<FormContext, 'asked' | 'shown' | 'profile' | 'notation'> {
  readonly options: ReadonlyMap<string, string>;
}

function readLabels(context: LabelContext): string[] {
  const { shown, options, profile } = context;
  const { labels: spelled } = profile;
  const isOfColumn =
    spelled.length >= 2 &&
    (shown === '' || spelled.includes(shown) || matchLabel({ labels: spelled, options }, shown) !== null);
  const asks = askedLabels(context);
  // What the column does is right, whatever the prompt says.
  return isOfColumn ? [...spelled, ...inNotation(asks, spelled)] : asks;
}

/** The labels that a column does not have yet, with its brackets and its case; none if the column has no label of theirs. */
function inNotation(named: readonly string[], spelled: readonly string[]): string[] {
  const known = new Map(spelled.map((label) => [foldLabel(label), label]));
  const core = named.find((label) => known.has(foldLabel(label)));
  if (core === undefined) return [];
  const pattern = known.get(foldLabel(core)) as string;
  const at = pattern.toLowerCase().indexOf(core.toLowerCase());
  const isSmall = spelled.every((label) => label === label.toLowerCase());
  const write = (label: string): string => {
    const cased = isSmall ? label.toLowerCase() : label;
    return at === -1 ? cased : `${pattern.slice(0, at)}${cased}${pattern.slice(at + core.length)}`;
  };
  return named.filter((label) => !known.has(foldLabel(label))).map(write);
}

/** The closed set of answers that a request names. */
function askedLabels({ asked, options, shown, notation }: LabelContext): string[] {
  const letters = readLetters(asked, options);
  if (letters.length > 0) {
    // An answer with the option's words shows that words are accepted, unless the request demands letters.
    const isByLetter =
      /\b(?:letter|select|choose|pick|option)\b/i.test(asked) ||
      shown === '' ||
      matchLabel({ labels: letters, options }, shown) !== null;
    if (isByLetter && !explains(asked)) return letters;
  }
  // A set that is named inside a larger form is that of one of its fields.
  const isLarger = notation.json || notation.table || notation.code || isLong(shown);
  const named = isLarger || asksForReason(asked) ? [] : readNamedLabels(asked);
  return named.length >= 2 ? named : [];
}

/** Whether an answer is more than a careless way to write a label. */
const isLong = (shown: string): boolean =>
  /^[[{`|]|\n.*\n/.test(shown) || hasMoreWords(shown, LABEL_ATTEMPT_WORDS_MAX);
const LABEL_ATTEMPT_WORDS_MAX = 15;

/** Whether a verdict needs a reason. */
function asksForReason(asked: string): boolean {
  return REQUEST_CUES.reason.test(asked);
}

function readLetters(asked: string, options: ReadonlyMap<string, string>): string[] {
  const set = LETTER_SETS.exec(asked)?.[1];
  if (
    set !== undefined &&
    (options.size > 0 || /\b(?:select|choose|pick|answer|option|letter)\b/i.test(asked))
  ) {
    return set.match(/[A-F]/g) ?? [];
  }
  return [...options.keys()];
}

function readNamedLabels(asked: string): string[] {
  // The expressions try every length of a run of blanks.
  const text = asked.replace(/\s{2,}|[^\S ]/g, (blanks) => (blanks.includes('\n') ? '\n' : ' '));
  const leading = LEADING_SET.exec(text)?.[1];
  if (leading !== undefined) return leading.split(' or ');
  const isOrder = ORDER.test(text);
  for (const [sign, set] of NAMED_SETS) {
    const list = (sign === ORDER ? isOrder : sign.test(text)) ? set.exec(text)?.[1] : undefined;
    if (list === undefined) continue;
    const labels = list
      // At most 4,600 characters.
      .split(/\s*[,、・|]\s*(?:(?:or|and)\s+)?|\s+(?:or|and|o|ou|oder|と|か)\s+|\s*(?<!\bn(?=\/a\b))\/\s*/i)
      .map((label) => label.replace(/^["'“`]|["'”`]$/g, '').trim())
      .filter((label) => label !== '');
    if (labels.length >= 2 && labels.every((label) => label.length <= 30) && !labels.some(isFiller))
      return labels;
  }
  return [];
}

const FILLERS =
  /^(?:more|less|so|not|it|them|two|three|one|why|how|both|others?|fewer|letters?|words?|sentences?|lines?|paragraphs?|a|an|the|i|you|me|us|explanation)$/i;
const isFiller = (label: string): boolean =>
  (FILLERS.test(label) && label !== 'Other') || /^(?:a|an|the|your|my|any|no)\s/i.test(label);

function asksForCode(asked: string): boolean {
  return (
    (/\b(?:write|implement|create|give|define|code|complete|fix|provide|need|make)\b[^.\n]{0,60}\b(?:function|method|class|program|script|snippet|one-liner|lambda|code|regex|regular expression|generator|decorator|loop)\b/i.test(
      asked,
    ) ||
      /\b(?:in|using) (?:python|javascript|typescript|java|c\+\+|rust|go|ruby|bash)\b[^.\n]{0,20}$/im.test(
        asked,
      )) &&
    !/\b(?:does the code|does this code|is the following code|syntax|what does|explain|output of|contain|why|pseudo-? ?code)\b/i.test(
      asked,
    )
  );
}

/** A first line that no other language has: Java imports, and has classes, too. */
const PYTHON_HEAD =
  /^[^\S\n]{0,40}(?:```py\w{0,10}\s{1,5})?(?:def \w{1,80}\([^\n;{]{0,400}$|from [\w.]{1,80} import |import [\w., ]{1,80}$|class \w{1,80}[^\n{;]{0,80}:$)/m;

/** "Translate this Python code to JavaScript". */
const CODE_TARGET =
  /\b(?:translat|convert|port|rewrit|transform|chang)\w{0,6}\b[^.\n]{0,80}\b(?:to|into|in) (python|javascript|typescript|java|kotlin|swift|scala|ruby|rust|php|perl|bash|go|lua|r|julia|haskell|c(?:\+\+|#)?)(?![\w+#])/i;

function readCodeLanguage(asked: string, shown: string, { code }: AskedNotation): AnswerForm['codeLanguage'] {
  if (REQUEST_CUES.otherPython.test(asked)) return 'other';
  const target = code || /\bcode\b/i.test(asked) ? CODE_TARGET.exec(asked)?.[1]?.toLowerCase() : undefined;
  if (target !== undefined) return target === 'python' || target === 'javascript' ? target : 'other';
  if (REQUEST_CUES.python.test(asked) || PYTHON_HEAD.test(shown)) return 'python';
  if (
    REQUEST_CUES.javascript.test(asked) ||
    /^\s*(?:```js\s+)?(?:(?:async )?function|const|let|export) \w/.test(shown)
  ) {
    return 'javascript';
  }
  return code ? 'other' : null;
}

/** Characters of a text that are checked for code. */
const CODE_LOOKED_AT_MAX = 20_000;

/** Whether a text is code rather than prose about it, or has a fenced block of it. */
export const isCodeLike = (text: string): boolean => /```/.test(text) || isCode(text);

/** What only files have: the head of a script or of a diff, a function of Python, an element that a component returns. */
const OF_FILE =
  /^#!\s?\/|^(?:diff --git |Index: \S)|^--- \S[^\n]{0,400}\n\+\+\+ \S|^@@ -\d{1,9}(?:,\d{1,9})? \+\d|^ {0,40}(?:async )?def \w{1,80}\(|^(?:const|let|var) \w{1,80} = [\w([{'"`]|^(?:import|export) [^\n]{1,400} from ['"]|\breturn \(\s{0,200}<[A-Za-z>]|^[^\S\n]{0,40}(?:public |private |static |final ){1,4}\w[^\n;{]{0,200}\{$/m;

/** Whether a text is code. */
export function isCode(text: string): boolean {
  const looked = text.slice(0, CODE_LOOKED_AT_MAX);
  if (OF_FILE.test(looked)) return true;
  const lines = looked.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return false;
  return lines.filter(isCodeLine).length / lines.length >= 0.5;
}

/** Whether a line may be one of a program. */
export function isCodeLine(line: string): boolean {
  return (
    /^\s*(?:def |class |import |from \w+ import|return\b|for .*:|while .*:|with .*:|try:|except\b|if .*:|elif |else:|print\(|function\b|const |let |var |#(?:\s|!|include|define|if|end|\[|$)|\/\/|[{}]|\)|\w+\s*=[^=]|async |export |public |lambda |@\w)/.test(
      line,
    ) ||
    /[;{]$|=>/.test(line.trimEnd()) ||
    isCall(line.trimEnd())
  );
}

const isCall = (line: string): boolean => line.endsWith(')') && /\w\(/.test(line);

function asksForSql({ asked, shown, hasSchema }: FormContext): boolean {
  const isAsked =
    REQUEST_CUES.sql.test(asked) ||
    // The schema says what kind of query it is.
    (hasSchema && /\b(?:just|only) the query\b/i.test(asked));
  return isAsked && isSqlLike(shown, asked);
}

function isSqlLike(shown: string, asked: string): boolean {
  return (
    shown === '' || /\b(?:select|insert|update|delete|with|create)\b/i.test(shown) || /\bquery\b/i.test(asked)
  );
}

function asksForJson(asked: string, shown: string): boolean {
  return (
    REQUEST_CUES.json.test(asked) &&
    !/\bjson ?lines\b|\b(?:per|each|every|a|one) line\b/i.test(asked) &&
    !/\b(?:explain|what is|what does|why|how (?:do|does|can))\b/i.test(asked) &&
    (shown === '' ||
      /[[{]/.test(shown) ||
      /\b(?:as|in|return|output|valid|produce|convert|extract|format|give|write|to) [^.\n]{0,30}json\b/i.test(
        asked,
      ))
  );
}

function asksForTable(asked: string, shown: string): boolean {
  const isAsked =
    REQUEST_CUES.table.test(asked) &&
    /\b(?:as|into|in|make|create|write|convert|turn|format|produce|give|output|return|put|list|show|build|arrange)\b/i.test(
      asked,
    );
  return (
    isAsked &&
    !/\b(?:periodic|dinner|dining|kitchen|wooden|round|coffee) table\b/i.test(asked) &&
    (shown === '' || /\||,|\t/.test(shown) || /\b(?:markdown table|csv|table (?:with|only))\b/i.test(asked))
  );
}

function asksForString(asked: string, form: Pick<AnswerForm, 'words'>): boolean {
  return (
    ((form.words !== null && form.words.max <= 3) ||
      /\b(?:one|a single) word\b|\b(?:return|output|print|write|give|reply with|answer with|respond with)(?: only| just| back)? the (?:\w+ )?(?:word|phrase|acronym|name|string|title|letter|abbreviation|initials)\b|\b(?:reverse|uppercase|lowercase|capitali[sz]e|spell(?:ed)?\b[^.\n]{0,40}\bbackwards?|only the acronym|upper ?case|lower ?case|acronym|plural of|past tense of|opposite of|synonym (?:of|for)|antonym)\b/i.test(
        asked,
      )) &&
    !explains(asked)
  );
}

function asksForNumber(asked: string, shown: string): boolean {
  const isNumberAsked =
    /\b(?:how (?:many|much|old|far|long|tall|heavy)|what (?:is|'s) the (?:total|sum|product|average|area|perimeter|volume|price|cost|result|number|percentage|distance|speed|mean|median|remainder)|what year|calculate|compute|convert|what percentage|round)\b|\b(?:answer|give|reply|respond|output|return)\b[^.\n]{0,30}\b(?:number|digits?|integer|figure|year|amount|value)\b/i.test(
      asked,
    );
  if (!isNumberAsked) return false;
  return (
    isBareNumber(shown) ||
    (shown === '' &&
      !explains(asked) &&
      /\d|\bhow (?:many|much|old|far|long|tall|heavy)\b|\byear\b/i.test(asked)) ||
    /\b(?:only|just|bare|a single|as a) (?:the )?(?:number|digits?|integer|figure|year|value)\b/i.test(asked)
  );
}

/** A request that is an arithmetic expression and nothing else. */
export const isExpression = (asked: string): boolean =>
  /\d\s*[+*/×÷x^−-]\s*\(?\d/.test(asked) && /^[\d\s.,()+\-−*/×÷x^=?]+$/.test(asked.trim());

const COUNTS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  single: 1,
};

function countOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = Object.hasOwn(COUNTS, text.toLowerCase()) ? COUNTS[text.toLowerCase()] : Number(text);
  return value !== undefined && Number.isInteger(value) && value > 0 && value <= 1000 ? value : null;
}

function readWords(asked: string): AnswerForm['words'] {
  const most = countOf(REQUEST_CUES.wordsMost.exec(asked)?.[1]);
  const exactly =
    countOf(REQUEST_CUES.wordsExactly.exec(asked)?.[1]) ??
    countOf(REQUEST_CUES.oneWord.exec(asked)?.[1]?.replace(/a single/i, 'one'));
  const least = countOf(REQUEST_CUES.wordsLeast.exec(asked)?.[1]);
  if (exactly !== null) return { min: exactly, max: exactly };
  if (most === null && least === null) return null;
  return { min: least ?? 1, max: most ?? 100_000 };
}

function readParts(asked: string): AnswerForm['parts'] {
  const match =
    /\b(?:give|list|write|name|suggest|create|make|plan|provide|share|offer|propose|generate|recommend|compose|draft|need|want)\b(?: me| us)?(?! (?:me |us )?(?:the|these|those|this|my|our)\b)[^.?!:\n]{0,30}?\b(two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,2})[- ](?:\w+ ){0,2}?(days?|steps?|tips?|items?|bullets?(?: points)?|lines?|points|reasons|ideas|examples|paragraphs?|questions|weeks?|stanzas?|ingredients|things|ways|names|facts|titles|verses)\b/i.exec(
      asked,
    );
  const count = countOf(match?.[1]);
  return match === null || count === null || count < 2
    ? null
    : {
        noun: (match[2] ?? '')
          .toLowerCase()
          .replace(/s$/, '')
          .replace(/ point$/, ''),
        count,
      };
}

function readQuoted(asked: string, before: Pick<RegExp, 'exec'>): string | null {
  const match = before.exec(asked);
  if (match === null) return null;
  const rest = asked.slice(match.index + match[0].length);
  return /^["“'`]([^"”'`\n]{1,120})["”'`]/.exec(rest)?.[1] ?? null;
}

const LANGUAGES =
  /\b(?:in(?:to)?|to|auf|ins|al|en|para o|em) (?:\w+ ){0,2}?(English|Spanish|French|German|Italian|Portuguese|Dutch|Japanese|Chinese|Korean|Russian|Polish|Swedish|Turkish|Arabic|Hindi|Greek|Czech|Danish|Norwegian|Finnish|Deutsche?|Spanische|Englische|Französische|español|inglés|francés|alemán|anglais|espagnol|allemand|inglês|espanhol|francês|alemão)\b/gi;
const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  inglês: 'English',
  espanhol: 'Spanish',
  francês: 'French',
  alemão: 'German',
  deutsch: 'German',
  deutsche: 'German',
  spanische: 'Spanish',
  englische: 'English',
  französische: 'French',
  español: 'Spanish',
  inglés: 'English',
  francés: 'French',
  alemán: 'German',
  anglais: 'English',
  espagnol: 'Spanish',
  allemand: 'German',
};

/** The language behind "from … to" may be any that has a name in English. */
const TARGET = /\b[Tt]ranslat\w{1,8}\b[^.?!\n]{0,80}\b(?:in(?:to)?|to) (\p{Lu}\p{Ll}{3,20})\b/gu;

function readLanguage(asked: string): string | null {
  const target = /ranslat/.test(asked) ? [...asked.matchAll(TARGET)].at(-1)?.[1] : undefined;
  if (target !== undefined && languageNamed(target) !== null) return target;
  if (asked.search(LANGUAGES) === -1) return null;
  // "Translate the sentence in Italian into Polish": the last one is the target.
  const name = [...asked.matchAll(LANGUAGES)].at(-1)?.[1];
  if (name === undefined) return null;
  return (
    own(LANGUAGE_NAMES, name.toLowerCase()) ?? `${name.charAt(0).toUpperCase()}${name.slice(1).toLowerCase()}`
  );
}

/** "Convert it to °F", "How long is it in metres?" */
const UNITS =
  /\b(?:to|into|in) (°[CF]|km\/h|m\/s|mph|[kcm]?m|[km]?g|m?l|lb|mi|(?:kilo|centi|milli)?met(?:re|er)s|(?:kilo|milli)?grams|(?:milli)?lit(?:re|er)s|miles|feet|inches|pounds|ounces|hours|minutes|seconds|days|weeks|degrees (?:Celsius|Fahrenheit))(?![\p{L}\p{N}/°])/gu;

function readUnit(asked: string): string | null {
  if (asked.search(UNITS) === -1) return null;
  const named = new Set([...asked.matchAll(UNITS)].map(([, unit = '']) => unit));
  const [only] = named;
  return named.size === 1 && only !== undefined ? only : null;
}

function readPerson(asked: string): AnswerForm['person'] {
  const named = REQUEST_CUES.person.exec(asked)?.[1]?.toLowerCase();
  if (named === 'first' || named === 'second' || named === 'third') return named;
  return REQUEST_CUES.voice.test(asked) ? 'first' : null;
}

/** Whether two forms exclude each other: a bare answer with a long explanation. */
function isContradictory(kind: FormKind, form: Omit<AnswerForm, 'kind'>, asked: string): boolean {
  const isBare = EXACT.has(kind) && kind !== 'code' && kind !== 'sql' && kind !== 'json' && kind !== 'table';
  if (isBare && REQUEST_CUES.much.test(asked)) return true;
  if (form.words !== null && form.words.min > form.words.max) return true;
  return EXCLUSIVE_FORMS.filter((each) => each.test(asked)).length >= 2;
}
