import { own } from '#shared/platform/own.ts';
import { decodeUtf8Misread } from './encoding.ts';
import { hasMoreWords } from './words.ts';

/**
 * What is left in an answer of how it was made, copied or stored, and says nothing. `template_mark`: marks of a chat
 * template. `encoding`: characters that were decoded twice, and control characters. `escape`: line ends and quotes as a
 * program writes them. `markup`: HTML and its entities. `page`: words of the page that the answer was copied from.
 * `turn`: a name before the answer, or a further turn behind it. `assistant`: what assistants say around an answer.
 * `repeated`: a paragraph or sentence twice.
 */
export type DebrisKind =
  | 'template_mark'
  | 'encoding'
  | 'escape'
  | 'markup'
  | 'page'
  | 'turn'
  | 'assistant'
  | 'repeated';

export interface Debris {
  readonly kinds: readonly DebrisKind[];
  /** What is there, in words that continue "The answer …". */
  readonly why: string;
  /** The answer without it; never empty. */
  readonly rest: string;
}

interface Cleaner {
  readonly kind: DebrisKind;
  readonly why: string;
  /** Share of a column's answers from which on the kind is its form. */
  readonly ownShareMin: number;
  /** Whether the kind is debris in a column that is too small to show its form. */
  readonly isCertain: boolean;
  /** Whether code and other notation is looked at, too. */
  readonly isInCode: boolean;
  /** Whether what stands beside the prompt may have it too: a text to be translated, earlier turns. */
  readonly isOfMaterial: boolean;
  /** Returns the text without this kind of debris; `asked` speaks of what is meant to be there. */
  readonly clean: (text: string, asked: string) => string;
}

export interface DebrisSource {
  readonly answer: string;
  readonly prompt: string;
  /** The prompt with its context columns and earlier turns. */
  readonly request: string;
  /** Whether the answer is code, JSON or another notation. */
  readonly isCode: boolean;
  /** Kinds that are the column's own form; null if the column is too small to show one. */
  readonly own: ReadonlySet<DebrisKind> | null;
}

/** Characters of the longest answer that is cleaned. */
const CLEANED_MAX = 100_000;

/** Finds debris in an answer; null if there is none, or if nothing would be left. */
export function debrisIn({ answer, prompt, request, isCode, own }: DebrisSource): Debris | null {
  if (answer.length > CLEANED_MAX) return null;
  const kinds: DebrisKind[] = [];
  const reasons: string[] = [];
  let text = answer;
  for (const { kind, why, isCertain, isInCode, isOfMaterial, clean } of CLEANERS) {
    if ((isCode && !isInCode) || (own === null ? !isCertain : own.has(kind))) continue;
    const cleaned = clean(text, isOfMaterial ? request : prompt).trim();
    if (cleaned === text.trim() || !/[\p{L}\p{N}]/u.test(cleaned)) continue;
    kinds.push(kind);
    reasons.push(why);
    text = cleaned;
  }
  return kinds.length === 0 ? null : { kinds, why: `has ${reasons.join(', ')}`, rest: text };
}

/** Marks of chat templates, with which a model ends a turn or begins one. */
const MARK =
  /<\|(?:endoftext|im_end|eot_id|end_of_text|end|eom_id|endofturn|end_of_turn(?:_token)?|return|eot)\|>|<EOT>|<\/s>|<eos>|<pad>|\[EOS\]|\[PAD\]|<end_of_turn>|<｜end▁of▁sentence｜>|\[\/?INST\]/;
/** An end of a turn that is the end of the answer, or that another turn follows. */
const END_MARK = new RegExp(
  `(?:${MARK.source})(?=\\s*(?:$|<\\|(?:im_start|start_header_id|user)|\\[INST\\]|<s>|<start_of_turn>|(?:user|human):\\s|${MARK.source}))`,
  'i',
);
/** The beginning of another turn. */
const NEXT_TURN =
  /(?:\n[^\S\n]*|(?<=[.!?…]) ?)(?:<\|(?:im_start|start_header_id|user)\|>|<start_of_turn>user|\[INST\])/i;
const QUOTED_MARK = new RegExp(`[\`"'“”]\\s?(?:${MARK.source}|<s>)`);
const START_MARK =
  /^(?:(?:<s>|<bos>|<\|begin_of_text\|>|<\|startoftext\|>|\[\/?INST\]|\[PAD\]|<pad>|<start_of_turn>(?:model|assistant)?|<\|(?:im_start|assistant)\|>(?:assistant)?|<\|start_header_id\|>assistant<\|end_header_id\|>)\s*)+/;
const MARKS_ASKED = /<\|?\/?[a-z]|\[\/?INST|###|\btoken|template|html|markup|strike|tags?\b/i;

function withoutMarks(text: string, prompt: string): string {
  // Quoted, a mark is spoken of.
  if (!/[<[]/.test(text) || QUOTED_MARK.test(text)) return text;
  if (
    isAsked(prompt, MARKS_ASKED) ||
    (text.includes('<s>') && text.includes('</s>') && !/^\s*<s>/.test(text))
  )
    return text;
  const begun = text.trimStart().replace(START_MARK, '');
  const [end = null] = [END_MARK.exec(begun), NEXT_TURN.exec(begun)]
    .filter((mark) => mark !== null)
    .sort((a, b) => a.index - b.index);
  // What follows the end of a turn is no part of the answer.
  return end === null || begun.slice(0, end.index).trim() === '' ? begun : begun.slice(0, end.index);
}

/** Spaces of no width, with which some scripts divide words. */
const NO_WIDTH = /\u200B/g;
const DIVIDED_SCRIPTS =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Characters that nobody writes: a byte order mark, control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNWRITTEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u2060\uFEFF\uFFFC]/g;

/** A character that plain English has not. */
const UNPLAIN = /[^\t\n\r -~]/;

/** Whether a request has what it would be debris to have: it speaks about it. */
const isAsked = (prompt: string, sign: RegExp): boolean => sign.test(prompt.slice(0, LOOKED_AT_MAX));
const LOOKED_AT_MAX = 8_000;

function withoutMisreadCharacters(text: string, prompt: string): string {
  if (!UNPLAIN.test(text)) return text;
  const isMeant = isAsked(
    prompt,
    /\b(?:encod|decod|utf-?8|unicode|mojibake|latin-?1)|[ÃÂâ][\u0080-\u00BF€™œž]/i,
  );
  const read = (isMeant ? text : decodeUtf8Misread(text)).replaceAll(UNWRITTEN, '');
  return read.includes('\u200B') && !DIVIDED_SCRIPTS.test(read) ? read.replaceAll(NO_WIDTH, '') : read;
}

const ESCAPED_LINE = /(?:\\r)?\\n/g;

/** Only where nothing else is escaped: a path, a formula or a program has other backslashes. */
function withoutEscapes(text: string, prompt: string): string {
  const escapes = text.match(/\\(?:n|r|t|")/g) ?? [];
  const backslashes = text.split('\\').length - 1;
  const isMeant =
    escapes.length < 2 ||
    escapes.length !== backslashes ||
    /[`$^{}]|[a-z]:\\|printf|print\(|'[^'\n]*\\n|\\n(?:u|eq|abla|ot|i|e|0)\b/i.test(text);
  if (isMeant || isAsked(prompt, /\\n|\\"|regex|escap|string|code|latex|path/i)) return text;
  const lines = text.replaceAll(ESCAPED_LINE, '\n').replaceAll('\\t', '\t').replaceAll('\\"', '"');
  return /^".*"$/s.test(lines.trim()) && lines.split('"').length === 3 ? lines.trim().slice(1, -1) : lines;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  ouml: 'ö',
  uuml: 'ü',
  auml: 'ä',
  szlig: 'ß',
  euro: '€',
  copy: '©',
  mdash: '—',
  ndash: '–',
  rsquo: '’',
  lsquo: '‘',
  ldquo: '“',
  rdquo: '”',
  hellip: '…',
};
const ENTITY = /&(?:([a-z]{2,8})|#(\d{2,6})|#x([\da-f]{2,6}));/gi;
const TAG =
  /<\/?(?:p|br|b|i|u|em|strong|div|span|a|ul|ol|li|h[1-6]|font|blockquote|center|table|tr|td|th|tbody|img|hr|section|article|small|pre|code)(?:\s[\w-]{1,40}=[^<>]{0,300}|\s?\/)?>/g;
const BLOCK_TAG =
  /<\/?(?:p|br|div|ul|ol|li|h[1-6]|blockquote|table|tr|hr|section|article|pre)(?:\s[\w-]{1,40}=[^<>]{0,300}|\s?\/)?>/g;
/** One tag in a sentence is spoken of. */
const TAGS_MIN = 2;
const MARKUP_ASKED = /html|\bxml\b|\btags?\b|markup|web ?page|entit(?:y|ies)|css|<\/?[a-z]|&[a-z]{2,6};/i;

function withoutMarkup(text: string, prompt: string): string {
  if (!/[<&]/.test(text) || text.includes('`') || isAsked(prompt, MARKUP_ASKED)) return text;
  const tags = text.match(TAG) ?? [];
  const untagged =
    (tags.length < TAGS_MIN && !/[.!?:,]<br ?\/?>\S/.test(text)) || /<su[bp]\b|&lt;/.test(text)
      ? text
      : text
          .replaceAll(/<li(?:\s[\w-]{1,40}=[^<>]{0,300})?>/g, '\n- ')
          .replaceAll(BLOCK_TAG, '\n')
          .replaceAll(TAG, '');
  const plain = untagged.replaceAll(ENTITY, (entity, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return own(ENTITIES, name.toLowerCase()) ?? entity;
    const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return point >= 32 && point < 0xd800 && point !== 60 && point !== 62
      ? String.fromCodePoint(point)
      : entity;
  });
  return plain === text ? text : plain.replaceAll(/[ \t]{1,100}\n/g, '\n').replaceAll(/\n{3,}/g, '\n\n');
}

/** Whole lines of pages and of chat windows, at the beginning or the end of an answer. */
const PAGE_LINE =
  // At most 120 characters.
  /^(?:copy code|regenerate(?: response)?|continue generating|stop generating|read (?:more|less)(?:\s?(?:…|\.\.\.|»|→))?|(?:show|see|load) (?:more|less)|skip to (?:main )?content|share this(?: (?:post|answer|article|page))?:?|was this (?:answer |page |article |review |post |response )?helpful\??.{0,40}|\d+ (?:people|users?|customers?) found this (?:\w+ )?helpful\.?|(?:sponsored|advertisement)(?: content)?|subscribe to .{1,60}newsletter.{0,20}|click here to .{1,60}|back to top|sent from my (?:iphone|ipad|android).{0,20}|accept(?: all)? cookies|posted (?:by|on) .{1,60}|last (?:edited|updated) (?:by|on|at) .{1,60}|edited \d+ \w+ ago|chatgpt said:?|👍.{0,20}|(?:like|reply|share)(?: ?[·•|] ?(?:like|reply|share|report|\d{1,6}[a-z]?))+)$/i;
/** So many lines at each end may be the page's. */
const PAGE_LINES_MAX = 2;
const SOURCE_MARK =
  /\s?(?:【\d{1,3}(?::\d{1,3})?†[^】\n]{0,60}】|:contentReference\[oaicite:\d{1,4}\](?:\{index=\d{1,4}\})?|\[\^\d{1,3}\^\]|citeturn\d+\w{0,20})/g;

function withoutPageText(text: string, prompt: string): string {
  const isMeant = isAsked(
    prompt,
    /\b(?:web ?site|web ?page|page|button|menu|blog|landing|e-?mail|newsletter)\b/i,
  );
  const marked = text.replaceAll(SOURCE_MARK, '');
  if (isMeant) return marked;
  const lines = marked.split('\n');
  const written = lines.flatMap((line, n) => (line.trim() === '' ? [] : [n]));
  const outer = new Set([...written.slice(0, PAGE_LINES_MAX), ...written.slice(-PAGE_LINES_MAX)]);
  const kept = lines.filter((line, n) => !outer.has(n) || line.length > 120 || !PAGE_LINE.test(line.trim()));
  return kept.length === lines.length ? marked : kept.join('\n').replaceAll(/\n{3,}/g, '\n\n');
}

const NAMED_TURN =
  /^\s*(?:(?:\*\*)?(?:assistant|chatgpt|ai assistant)(?:\*\*)?:(?:\*\*)?|#{2,4} ?response:)\s+(?=\S)/i;
const HEADED_TURN =
  /^[^\S\n\r\u2028\u2029]{0,40}#{2,4} ?(?:instruction|human|user|question|prompt):[^\S\n\r\u2028\u2029]{0,40}$/im;
const USER_TURN = /^[^\S\n\r\u2028\u2029]{0,40}(?:\*\*)?(?:user|human):/im;
const ASSISTANT_TURN = /^[^\S\n\r\u2028\u2029]{0,40}(?:\*\*)?(?:assistant|ai|bot|chatgpt):/im;
const TURNS_ASKED =
  /\b(?:dialog|conversation|interview|script|scene|screenplay|chat|transcript|questions|quiz|faq|q ?& ?a|role-?play|format|template|example|translat)|^[^\S\n\r\u2028\u2029]{0,40}(?:assistant|ai|user|human|#{2,4} ?\w+):/im;

/** The question, repeated on lines of its own above the answer. */
function withoutQuestion(text: string, prompt: string): string {
  const question = prompt.trim();
  const answer = text.trimStart();
  if (!/[?？]$/.test(question) || !hasMoreWords(question, 3) || !answer.startsWith(question)) return text;
  const behind = answer.slice(question.length);
  return /^[^\S\n]*\n\s*\S/.test(behind) ? behind : text;
}

function withoutTurns(whole: string, prompt: string): string {
  const text = withoutQuestion(whole, prompt);
  if (!text.includes(':') || isAsked(prompt, TURNS_ASKED)) return text;
  const answer = text.replace(NAMED_TURN, '');
  const headed = HEADED_TURN.exec(answer);
  const user = headed ?? USER_TURN.exec(answer);
  if (user === null || answer.slice(0, user.index).trim() === '') return answer;
  // A field that is called "User" is no turn: an assistant replies to one.
  const isTurn = headed !== null || ASSISTANT_TURN.test(answer.slice(user.index));
  return isTurn ? answer.slice(0, user.index) : answer;
}

/**
 * What assistants say before an answer, as sentences of their own: an exclamation, or one with a sentence about the
 * answer. "Here are five tips:" alone may begin any answer.
 */
const ACKNOWLEDGED =
  '(?:sure(?: thing)?|certainly|of course|absolutely|great question|good question|no problem|happy to help|thank you for (?:your question|asking))';
const ABOUT_ANSWER =
  "(?:i(?:['’]d| would) be (?:happy|glad|delighted) to (?:help|assist)[^.!?\\n]{0,80}[.!]|here(?:['’]s| is| are) [^.:!?\\n]{1,100}:(?=\\s*\\n)|let me (?:help|explain)[^.!?\\n]{0,60}[.!:])";
const OPENING = new RegExp(
  `^(?:${ACKNOWLEDGED}[!.,]?\\s+${ABOUT_ANSWER}\\s*|${ACKNOWLEDGED}!\\s+|i(?:['’]d| would) be (?:happy|glad|delighted) to (?:help|assist)[^.!?\\n]{0,80}[.!]\\s+)`,
  'i',
);
/** A question that an exclamation answers. */
const CLOSED_QUESTION =
  // At most 400 characters.
  /(?:^|[.!?\n]\s*)(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|may)\b[^.!?\n]{1,300}\?\s*$/i;
const MENTIONS_AI = /\bas an? (?:ai|artificial)\b/i;
const AI_SAYS =
  /(?:^|(?<=[.!?]\s|\n))as an? (?:ai|artificial intelligence)(?: language)?(?: model| assistant)?,? i(?: am|['’]m|['’]ve| do| don['’]t| cannot| can['’]t| have| can|['’]d)\b[^.!?\n]{0,220}?(?:[.!?](?:\s+|$)(?:(?:however|that said|nevertheless|but),?\s+)?|[,;]?\s(?:but|however)[,]?\s+)/i;
/** What assistants say behind an answer, as the last sentences: formulas alone, with nothing of the answer in them. */
const QUESTIONS =
  '(?:any )?(?:other |more |further |additional )?(?:questions?|concerns?)(?: (?:about|on) (?:this|it|that))?';
const HELP =
  '(?:any )?(?:other |more |further |additional )?(?:help|assistance|clarification|information|details?|explanations?)(?: (?:with|about|on) (?:this|it|that))?';
const WANTS = `if you (?:have ${QUESTIONS}|(?:need|want|would like|['’]d like) ${HELP})`;
const CLOSING = new RegExp(
  `(?:^|(?<=[.!?)…»”"'\\]]\\s{0,4}|\\n))(?:(?:i )?hope (?:this|that) (?:helps?|helped|is helpful|answers your question|clarifies things)(?: you)?|(?:please )?(?:let me know|feel free to (?:ask|reach out|let me know|contact me)|don['’]t hesitate to (?:ask|reach out|contact me)),? ${WANTS}|(?:please )?feel free to ask(?: me)?(?: ${QUESTIONS})?|${WANTS},? (?:please )?(?:let me know|feel free to (?:ask|reach out)|don['’]t hesitate to (?:ask|reach out)|just ask)|(?:is|was) there anything else (?:i can (?:help|assist)(?: you)?(?: with)?|you(?: would|['’]d) like to know|i can do for you)(?: today)?|(?:would you like|do you want) me to [^.!?\\n\\d]{1,140})[.!?]?(?:\\s?\\p{Extended_Pictographic}\\uFE0F?)?\\s*$`,
  'iu',
);
const LETTERS_ASKED =
  /\b(?:letter|e-?mail|message|reply|respond|response|speech|script|post|tweet|text|invitation|announcement|note|greet\w*|thank|customer|story|dialog\w*|chat\w*|conversation|polite\w*|say to|role-?play|assistant|act as|you are|translat\w*|quote|sentence)\b/i;

function withoutAssistant(text: string, prompt: string): string {
  if (isAsked(prompt, LETTERS_ASKED)) return text;
  let rest = text.trim();
  const begun = CLOSED_QUESTION.test(prompt.slice(-ASKED_CHARACTERS)) ? '' : (OPENING.exec(rest)?.[0] ?? '');
  // An exclamation that a sentence goes on from is part of it.
  const opening = /^\p{Ll}/u.test(rest.slice(begun.length)) ? '' : begun;
  rest = rest.slice(opening.length);
  rest = withoutSelf(rest, prompt);
  // A company speaks to its customers in such words.
  for (let n = 0; n < CLOSINGS_MAX && !SPEAKS_FOR_MANY.test(rest); n += 1) {
    const end = Math.max(0, rest.length - CLOSING_CHARACTERS_MAX);
    const closing = CLOSING.exec(rest.slice(end));
    const at = end + (closing?.index ?? 0);
    if (closing === null || at === 0 || /:\s*$/.test(rest.slice(0, at))) break;
    rest = rest.slice(0, at).trimEnd();
  }
  return opening === '' ? rest : capitalized(rest);
}

/**
 * Without the sentence in which an assistant says what it is, where an answer is left. A question about "you" is answered by it, and
 * what goes on about the assistant, or asks back, answers nothing.
 */
function withoutSelf(text: string, prompt: string): string {
  if (!MENTIONS_AI.test(text) || /\byou(?:r|rself)?\b/i.test(prompt)) return text;
  const said = AI_SAYS.exec(text);
  if (said === null) return text;
  const behind = text.slice(said.index + said[0].length);
  const rest = text.slice(0, said.index) + capitalized(behind);
  const isAnswer =
    hasMoreWords(rest, SENTENCE_WORDS_MIN) &&
    !/^\s*(?:i|i['’]\w+|my|can i|may i|would you|is there)\b/i.test(behind);
  return isAnswer && !/\?\s*$/.test(rest) ? rest : text;
}

const CLOSINGS_MAX = 4;
/** The end of a prompt, where its question is. */
const ASKED_CHARACTERS = 400;
const SPEAKS_FOR_MANY = /\b(?:we|our|us)\b/i;
const CLOSING_CHARACTERS_MAX = 300;

function capitalized(text: string): string {
  return /^\p{Ll}/u.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** Shorter paragraphs and sentences may be said twice. */
const PARAGRAPH_CHARACTERS_MIN = 40;
const SENTENCE_WORDS_MIN = 6;
const REPETITION_ASKED =
  /\b(?:repeat\w*|refrain|chorus|songs?|poems?|lyrics?|verses?|rhymes?|twice|times|lists?|chants?|mantras?)\b/i;

/**
 * Without a paragraph, or a sentence, right behind its like. What comes more than twice, or is all that is said, is meant:
 * a verse, a ritual, an aphorism.
 */
function withoutRepetition(text: string, prompt: string): string {
  if (text.length < 2 * PARAGRAPH_CHARACTERS_MIN || isAsked(prompt, REPETITION_ASKED)) return text;
  const paragraphs = text.split(/\n[^\S\n]*\n\s*/);
  const kept = withoutRepeated(paragraphs, (all) => all.length > 2 || sentencesOf(all[0] ?? '').length > 1);
  const whole = kept.length === paragraphs.length ? text : kept.join('\n\n');
  const sentences = sentencesOf(whole);
  const said = withoutRepeated(sentences, (all) => all.length > 2);
  return said.length === sentences.length ? whole : said.join('');
}

const sentencesOf = (text: string): string[] => text.split(/(?<=[.!?])(?=\s)/);

/** Without the parts that repeat the one before them; all of them if one comes more than twice. */
function withoutRepeated(
  parts: readonly string[],
  mayRepeat: (parts: readonly string[]) => boolean,
): readonly string[] {
  const kept = parts.filter((part, n) => n === 0 || !repeats(parts[n - 1], part));
  const counts = new Map<string, number>();
  for (const part of parts) counts.set(part.trim(), (counts.get(part.trim()) ?? 0) + 1);
  const isRitual = parts.some((part) => part.trim() !== '' && (counts.get(part.trim()) ?? 0) > 2);
  return kept.length === parts.length || isRitual || !mayRepeat(parts) ? parts : kept;
}

function repeats(before: string | undefined, text: string): boolean {
  const said = text.trim();
  return (
    said === before?.trim() &&
    /[.!?]["”’)]?$/.test(said) &&
    (said.match(/\p{L}+/gu)?.length ?? 0) >= SENTENCE_WORDS_MIN
  );
}

const USUAL_SHARE_MIN = 0.2;
/** So many answers have to have a kind that is a column's form. */
const OWN_MIN = 3;

const CLEANERS: readonly Cleaner[] = [
  {
    kind: 'template_mark',
    ownShareMin: 0.5,
    why: 'marks of a chat template',
    isCertain: true,
    isInCode: true,
    isOfMaterial: true,
    clean: withoutMarks,
  },
  {
    kind: 'encoding',
    ownShareMin: 0.5,
    why: 'characters that were decoded wrongly',
    isCertain: true,
    isInCode: true,
    isOfMaterial: true,
    clean: withoutMisreadCharacters,
  },
  {
    kind: 'escape',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'line ends or quotes in the notation of a program',
    isCertain: false,
    isInCode: false,
    isOfMaterial: true,
    clean: withoutEscapes,
  },
  {
    kind: 'markup',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'markup',
    isCertain: false,
    isInCode: false,
    isOfMaterial: true,
    clean: withoutMarkup,
  },
  {
    kind: 'page',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'words of a page around it',
    isCertain: false,
    isInCode: false,
    isOfMaterial: false,
    clean: withoutPageText,
  },
  {
    kind: 'turn',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'a name or a turn that is no part of it',
    isCertain: false,
    isInCode: false,
    isOfMaterial: false,
    clean: withoutTurns,
  },
  {
    kind: 'assistant',
    ownShareMin: 0.05,
    why: 'what assistants say around an answer',
    isCertain: false,
    isInCode: false,
    isOfMaterial: false,
    clean: withoutAssistant,
  },
  {
    kind: 'repeated',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'a part twice',
    isCertain: false,
    isInCode: false,
    isOfMaterial: false,
    clean: withoutRepetition,
  },
];

/** The kinds of debris that are a column's own form. */
export function ownDebris(
  answers: readonly Pick<DebrisSource, 'answer' | 'prompt' | 'request'>[],
): ReadonlySet<DebrisKind> {
  const own = new Set<DebrisKind>();
  for (const { kind, ownShareMin, isOfMaterial, clean } of CLEANERS) {
    const having = answers.filter(({ answer, prompt, request }) => {
      const text = answer.slice(0, LOOKED_AT_MAX).trim();
      // An assistant that speaks of itself shows whose answers the column has, also where that is part of the answer.
      const isOwn = kind === 'assistant' && MENTIONS_AI.test(text);
      return isOwn || clean(text, isOfMaterial ? request : prompt).trim() !== text;
    }).length;
    if (having >= OWN_MIN && having >= ownShareMin * answers.length) own.add(kind);
  }
  return own;
}
