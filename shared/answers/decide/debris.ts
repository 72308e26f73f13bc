import { decodeUtf8Misread } from './encoding.ts';

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
  /** Returns the text without this kind of debris. */
  readonly clean: (text: string, prompt: string) => string;
}

export interface DebrisSource {
  readonly answer: string;
  readonly prompt: string;
  /** Whether the answer is code, JSON or another notation. */
  readonly isCode: boolean;
  /** Kinds that are the column's own form; null if the column is too small to show one. */
  readonly own: ReadonlySet<DebrisKind> | null;
}

/** Characters of the longest answer that is cleaned. */
const CLEANED_MAX = 100_000;

/** Finds debris in an answer; null if there is none, or if nothing would be left. */
export function debrisIn({ answer, prompt, isCode, own }: DebrisSource): Debris | null {
  if (answer.length > CLEANED_MAX) return null;
  const kinds: DebrisKind[] = [];
  const reasons: string[] = [];
  let text = answer;
  for (const { kind, why, isCertain, isInCode, clean } of CLEANERS) {
    if ((isCode && !isInCode) || (own === null ? !isCertain : own.has(kind))) continue;
    const cleaned = clean(text, prompt).trim();
    if (cleaned === text.trim() || !/[\p{L}\p{N}]/u.test(cleaned)) continue;
    kinds.push(kind);
    reasons.push(why);
    text = cleaned;
  }
  return kinds.length === 0 ? null : { kinds, why: `has ${reasons.join(', ')}`, rest: text };
}

/** Marks of chat templates, with which a model ends a turn or begins one. */
const END_MARK =
  /<\|(?:endoftext|im_end|eot_id|end_of_text|end|eom_id|endofturn|end_of_turn)\|>|<\/s>|<end_of_turn>|<｜end▁of▁sentence｜>|\[\/?INST\]|###\s*$/;
const START_MARK =
  /^\s*(?:(?:<s>|<bos>|<\|begin_of_text\|>|<\|startoftext\|>|\[\/?INST\]|<<SYS>>|<start_of_turn>(?:model|assistant)?|<\|(?:im_start|assistant)\|>(?:assistant)?|<\|start_header_id\|>assistant<\|end_header_id\|>)\s*)+/;

function withoutMarks(text: string, prompt: string): string {
  if (!/[<[#]/.test(text)) return text;
  if (END_MARK.test(prompt) || START_MARK.test(prompt) || prompt.includes('###')) return text;
  const begun = text.replace(START_MARK, '');
  const end = END_MARK.exec(begun);
  // What follows the end of a turn is no part of the answer.
  return end === null || begun.slice(0, end.index).trim() === '' ? begun : begun.slice(0, end.index);
}

/** Characters that nobody writes: a byte order mark, spaces of no width, control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNWRITTEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u200B\u2060\uFEFF\uFFFC]/g;

/** Whether a request has what it would be debris to have: it speaks about it. */
const isAsked = (prompt: string, sign: RegExp): boolean => sign.test(prompt.slice(0, LOOKED_AT_MAX));
const LOOKED_AT_MAX = 8_000;

function withoutMisreadCharacters(text: string, prompt: string): string {
  const isMeant = isAsked(
    prompt,
    /\b(?:encod|decod|utf-?8|unicode|mojibake|latin-?1)|[ÃÂâ][\u0080-\u00BF€™œž]/i,
  );
  return (isMeant ? text : decodeUtf8Misread(text)).replaceAll(UNWRITTEN, '');
}

const ESCAPED_LINE = /(?:\\r)?\\n(?![a-z])/g;

function withoutEscapes(text: string, prompt: string): string {
  const isMeant = /[`$^{}]|\\[a-mo-qs-z]{2}/.test(text) || /\\n|\\"|regex|escap|string/i.test(prompt);
  if (isMeant || !/\\n|\\"/.test(text)) return text;
  const lines = text.replaceAll(ESCAPED_LINE, '\n').replaceAll('\\"', '"');
  return /^"[^"]*"$/.test(lines) && text.startsWith('"') ? lines.slice(1, -1) : lines;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lt: '<',
  gt: '>',
  mdash: '—',
  ndash: '–',
  rsquo: '’',
  lsquo: '‘',
  ldquo: '“',
  rdquo: '”',
  hellip: '…',
};
const ENTITY =
  /&(?:(amp|quot|apos|nbsp|lt|gt|mdash|ndash|rsquo|lsquo|ldquo|rdquo|hellip)|#(\d{2,6})|#x([\da-f]{2,6}));/gi;
const TAG =
  /<\/?(?:p|br|b|i|u|em|strong|div|span|a|ul|ol|li|h[1-6]|font|sup|sub|blockquote|center|table|tr|td|th|tbody|img|hr|section|article|small)(?:\s+[\w-]{1,40}=[^<>]{0,300})?\s*\/?>/gi;
const BLOCK_TAG =
  /<\/?(?:p|br|div|ul|ol|li|h[1-6]|blockquote|table|tr|hr|section|article)(?:\s+[\w-]{1,40}=[^<>]{0,300})?\s*\/?>/gi;
const MARKUP_ASKED = /html|\bxml\b|\btags?\b|markup|web ?page|entit(?:y|ies)|css|<\/?[a-z]|&[a-z]{2,6};/i;

function withoutMarkup(text: string, prompt: string): string {
  if (!/[<&]/.test(text) || isAsked(prompt, MARKUP_ASKED) || text.includes('`')) return text;
  const plain = text
    .replaceAll(/<li(?:\s+[\w-]{1,40}=[^<>]{0,300})?>/gi, '\n- ')
    .replaceAll(BLOCK_TAG, '\n')
    .replaceAll(TAG, '')
    .replaceAll(ENTITY, (entity, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity;
      const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return point >= 32 && point < 0xd800 ? String.fromCodePoint(point) : entity;
    });
  return plain === text ? text : plain.replaceAll(/[ \t]{1,100}\n/g, '\n').replaceAll(/\n{3,}/g, '\n\n');
}

/** Whole lines of pages and of chat windows, and marks of sources. */
const PAGE_LINE =
  /^(?:copy code|copy|regenerate(?: response)?|continue generating|stop generating|read (?:more|less)(?:\s?(?:…|\.\.\.|»|→))?|(?:show|see|load) (?:more|less)|learn more|share(?: this)?(?: (?:post|answer|article|page|on .{0,40}))?:?|like|reply|report|follow|upvote|downvote|was this (?:answer |page |article |review |post |response )?helpful\??.{0,40}|\d+ (?:people|users?|customers?) found this (?:\w+ )?helpful\.?|(?:sponsored|advertisement|ad)(?: content)?|sign up(?: now)?(?: for .{0,60})?|log in|subscribe(?: .{0,80})?|click here.{0,80}|back to top|(?:previous|next)(?: (?:page|article|post|question))?|page \d+ of \d+|sent from my \w+|accept(?: all)? cookies|cookie (?:policy|settings)|all rights reserved\.?|(?:©|\(c\)) ?(?:copyright )?\d{4}.{0,60}|posted (?:by|on) .{1,60}|last (?:edited|updated) (?:by|on|at) .{1,60}|edited \d+ \w+ ago|chatgpt(?: said:?)?|model: gpt.{0,30}|related (?:questions|articles|posts):?|home (?:>|») .{1,80}|tags?: .{1,80}|👍.{0,20}|(?:like|reply|share)(?: [·•|] (?:like|reply|share|report|\d+ ?\w*))+)$/i;
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
  const kept = lines.filter((line) => line.length > 120 || !PAGE_LINE.test(line.trim()));
  return kept.length === lines.length ? marked : kept.join('\n').replaceAll(/\n{3,}/g, '\n\n');
}

const NAMED_TURN =
  /^\s*(?:#{1,4}\s*)?(?:assistant|ai|bot|chatbot|chatgpt|gpt-?\d?|response|output|answer|completion|a)\s*:\s+(?=\S)/i;
const FURTHER_TURN =
  /\n\s*(?:#{2,4} ?(?:instruction|input|human|user|question|prompt)\b|(?:user|human)\s*:|\n\s*(?:question|customer|student|q)\s*:)/i;
const TURNS_ASKED =
  /\b(?:dialog|conversation|interview|script|scene|screenplay|chat|transcript|questions|quiz|faq|q ?& ?a|role-?play|format|template|example)|(?:^|\n)\s*(?:assistant|ai|response|output|answer|completion|a|user|human|instruction|input|question|q)\s*:/i;

function withoutTurns(text: string, prompt: string): string {
  if (isAsked(prompt, TURNS_ASKED)) return text;
  const own = text.replace(NAMED_TURN, '');
  const further = FURTHER_TURN.exec(own);
  return further === null || own.slice(0, further.index).trim() === '' ? own : own.slice(0, further.index);
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
  /(?:^|[.!?\n]\s*)(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|may)\b[^.!?\n]{1,300}\?\s*$/i;
const MENTIONS_AI = /\bas an? (?:ai|artificial)\b/i;
const AI_SAYS =
  /(?:^|(?<=[.!?]\s|\n))as an? (?:ai|artificial intelligence)(?: language)?(?: model| assistant| system)?[^.!?\n]{0,220}?(?:[.!?](?:\s+|$)(?:(?:however|that said|nevertheless|but),?\s+)?|[,;]?\s(?:but|however)[,]?\s+)/i;
/** What assistants say behind an answer, as the last sentences. */
const CLOSING =
  /(?:^|(?<=[.!?:)…»”"'\]]\s{0,4}|\n))(?:(?:i )?hope (?:this|that) (?:helps|answers|is helpful|clarifies|clears)[^.!?\n]{0,80}|(?:please )?(?:let me know|feel free to (?:ask|reach|let|contact)|don['’]t hesitate to)[^.!?\n]{0,140}|(?:please )?if you (?:have|need|want|would like|['’]d like)[^.!?\n]{0,60}(?:question|help|assistance|clarif|information|detail)[^.!?\n]{0,100}|(?:is|was) there anything else[^.!?\n]{0,80}|(?:would you like|do you want) me to [^.!?\n]{1,140}|(?:shall|should) i (?:explain|provide|continue|elaborate|expand|go on)[^.!?\n]{0,120}|i['’]?a?m (?:always )?here to help[^.!?\n]{0,60}|(?:happy|glad) to help[^.!?\n]{0,60}|have a (?:great|nice|good|wonderful) (?:day|time|evening)[^.!?\n]{0,40})[.!?]?(?:\s?\p{Extended_Pictographic}\uFE0F?)?\s*$/iu;
const LETTERS_ASKED =
  /\b(?:letter|e-?mail|message|reply|respond|response|speech|script|post|tweet|text|invitation|announcement|note|greet\w*|thank|customer|story|dialog\w*|chat\w*|conversation|polite\w*|say to|role-?play|assistant|act as|you are)\b/i;

function withoutAssistant(text: string, prompt: string): string {
  if (isAsked(prompt, LETTERS_ASKED)) return text;
  let rest = text.trim();
  const opening = CLOSED_QUESTION.test(prompt) ? '' : (OPENING.exec(rest)?.[0] ?? '');
  rest = rest.slice(opening.length);
  const said = MENTIONS_AI.test(rest) ? AI_SAYS.exec(rest) : null;
  if (said !== null) rest = rest.slice(0, said.index) + capitalized(rest.slice(said.index + said[0].length));
  for (let n = 0; n < CLOSINGS_MAX; n += 1) {
    const end = Math.max(0, rest.length - CLOSING_CHARACTERS_MAX);
    const closing = CLOSING.exec(rest.slice(end));
    const at = end + (closing?.index ?? 0);
    if (closing === null || at === 0) break;
    rest = rest.slice(0, at).trimEnd();
  }
  return opening === '' ? rest : capitalized(rest);
}

const CLOSINGS_MAX = 4;
const CLOSING_CHARACTERS_MAX = 300;

function capitalized(text: string): string {
  return /^\p{Ll}/u.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** Shorter paragraphs and sentences may be said twice. */
const PARAGRAPH_CHARACTERS_MIN = 40;
const SENTENCE_WORDS_MIN = 6;
const REPETITION_ASKED = /repeat|refrain|chorus|song|poem|lyric|verse|rhyme|twice|times|list|chant|mantra/i;

/** Without the paragraphs that the text has before, and without a sentence right behind its like. */
function withoutRepetition(text: string, prompt: string): string {
  if (text.length < 2 * PARAGRAPH_CHARACTERS_MIN || isAsked(prompt, REPETITION_ASKED)) return text;
  const paragraphs = text.split(/\n\s*\n/);
  const seen = new Set<string>();
  const kept = paragraphs.filter((paragraph) => {
    const key = paragraph.trim();
    if (key.length < PARAGRAPH_CHARACTERS_MIN) return true;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
  const whole = kept.length === paragraphs.length ? text : kept.join('\n\n');
  const sentences = whole.split(/(?<=[.!?])(?=\s)/);
  const said = sentences.filter((sentence, n) => {
    const key = sentence.trim();
    return n === 0 || key !== sentences[n - 1]?.trim() || key.split(/\s+/).length < SENTENCE_WORDS_MIN;
  });
  return said.length === sentences.length ? whole : said.join('');
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
    clean: withoutMarks,
  },
  {
    kind: 'encoding',
    ownShareMin: 0.5,
    why: 'characters that were decoded wrongly',
    isCertain: true,
    isInCode: true,
    clean: withoutMisreadCharacters,
  },
  {
    kind: 'escape',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'line ends or quotes in the notation of a program',
    isCertain: false,
    isInCode: false,
    clean: withoutEscapes,
  },
  {
    kind: 'markup',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'markup',
    isCertain: false,
    isInCode: false,
    clean: withoutMarkup,
  },
  {
    kind: 'page',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'words of a page around it',
    isCertain: false,
    isInCode: true,
    clean: withoutPageText,
  },
  {
    kind: 'turn',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'a name or a turn that is no part of it',
    isCertain: false,
    isInCode: false,
    clean: withoutTurns,
  },
  {
    kind: 'assistant',
    ownShareMin: 0.05,
    why: 'what assistants say around an answer',
    isCertain: false,
    isInCode: false,
    clean: withoutAssistant,
  },
  {
    kind: 'repeated',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'a part twice',
    isCertain: false,
    isInCode: false,
    clean: withoutRepetition,
  },
];

/** The kinds of debris that are a column's own form. */
export function ownDebris(
  answers: readonly Pick<DebrisSource, 'answer' | 'prompt'>[],
): ReadonlySet<DebrisKind> {
  const own = new Set<DebrisKind>();
  for (const { kind, ownShareMin, clean } of CLEANERS) {
    const having = answers.filter(({ answer, prompt }) => {
      const text = answer.slice(0, LOOKED_AT_MAX).trim();
      return clean(text, prompt).trim() !== text;
    }).length;
    if (having >= OWN_MIN && having >= ownShareMin * answers.length) own.add(kind);
  }
  return own;
}
