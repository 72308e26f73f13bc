import { own } from '#shared/platform/own.ts';
import {
  areFenced,
  areNoTexts,
  withoutFurther,
  withoutLead,
  withoutOutside,
  withoutShell,
  withoutWrapper,
} from './column-debris.ts';
import { decodeAlphabetMisread, decodeUtf8Misread } from './encoding.ts';
import { hasMoreWords } from './words.ts';

/**
 * What is left in an answer of how it was made, copied or stored, and says nothing. `template_mark`: marks of a chat
 * template. `encoding`: characters that were decoded twice, and control characters. `escape`: line ends and quotes as a
 * program writes them. `markup`: HTML and its entities. `page`: words of the page that the answer was copied from.
 * `turn`: a name before the answer, or a further turn behind it. `heading`: a word such as "Answer:" before it. `assistant`:
 * what assistants say around an answer. `repeated`: a part, or all of it, twice. `wrapper`: a block of code or quotes around
 * it. `field`: an object of JSON around it. `outside`: what stands around a block of code. `lead`: a line that announces it.
 * `further`: a paragraph behind it. `console`: the mark of a shell before a command. `outer`: what stands outside of it as in no
 * other answer of its column.
 */
export type DebrisKind =
  | 'template_mark'
  | 'encoding'
  | 'escape'
  | 'markup'
  | 'page'
  | 'turn'
  | 'assistant'
  | 'repeated'
  | 'heading'
  | 'wrapper'
  | 'field'
  | 'outside'
  | 'lead'
  | 'further'
  | 'console'
  | 'outer';

export interface Debris {
  readonly kinds: readonly DebrisKind[];
  /** What is there, in words that continue "The answer …". */
  readonly why: string;
  /** The answer without it; never empty. */
  readonly rest: string;
  /** False where a judge has to find the rest better. */
  readonly isCertain: boolean;
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
  /** Whether the answers of a column are of a kind in which it is debris; absent: it is in any. */
  readonly suits?: (answers: readonly string[]) => boolean;
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
    if (!kinds.includes(kind)) kinds.push(kind);
    if (!reasons.includes(why)) reasons.push(why);
    text = cleaned;
  }
  return kinds.length === 0 ? null : { kinds, why: `has ${reasons.join(', ')}`, rest: text, isCertain: true };
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
const QUOTED_MARK = new RegExp(`[\`"'“”]\\s?(?:${MARK.source}|<s>)\\s?[\`"'“”]`);
/** A mark of any template, at the end of an answer. */
const LAST_MARK = /\s{0,4}<\|[a-z_]{3,20}\|>$/i;
const START_MARK =
  /^(?:(?:<s>|<bos>|<\|begin_of_text\|>|<\|startoftext\|>|\[\/?INST\]|\[PAD\]|<pad>|<start_of_turn>(?:model|assistant)?|<\|(?:im_start|assistant)\|>(?:assistant)?|<\|start_header_id\|>assistant<\|end_header_id\|>)\s*)+/;
const MARKS_ASKED =
  /\b(?:llama|mistral|chatml|prompt format|turns?)\b|<\|?\/?[a-z]|\[\/?INST|###|\btoken|template|html|markup|strike|tags?\b/i;

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
  const answer = end === null || begun.slice(0, end.index).trim() === '' ? begun : begun.slice(0, end.index);
  return answer.trimEnd().replace(LAST_MARK, '');
}

/** Spaces of no width, with which some scripts divide words. */
const NO_WIDTH = /\u200B/g;
const DIVIDED_SCRIPTS =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Characters that nobody writes: a byte order mark, control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNWRITTEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u00AD\u2060\uFEFF\uFFFC]|^ï»¿/g;

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
  const decoded = isMeant ? text : decodeAlphabetMisread(decodeUtf8Misread(text), prompt);
  const read = decoded.replaceAll(UNWRITTEN, '');
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
    /\s\\[nrt]\s|[`$^{}]|[a-z]:\\|printf|print\(|'[^'\n]*\\n|\\n(?:u|eq|abla|ot|i|e|0)\b/i.test(text);
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
    (tags.length < TAGS_MIN && !/[.!?:,]<br ?\/?>\S/.test(text)) ||
    // Between spaces a tag is spoken of.
    /<su[bp]\b|&lt;|[\p{L},] <\/?[a-z]{1,10}> \p{Ll}/u.test(text)
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

const PLAIN_ENTITIES: Readonly<Record<string, string>> = {
  ...ENTITIES,
  lt: '<',
  gt: '>',
  '#39': "'",
  '#34': '"',
};
const PLAIN_ENTITY = /&(amp|quot|apos|lt|gt|nbsp|#39|#34);/g;
const ENTITIES_ASKED = /html|\bxml\b|\bjsx\b|entit(?:y|ies)|escap|encod|ampersand|web ?page|&[a-z]{2,6};/i;

/** Entities where nothing else is markup: in code, or in a text that speaks of code. */
function withoutEntities(text: string, prompt: string): string {
  if (!/&(?:amp|quot|apos|lt|gt|#39|#34);/.test(text) || isAsked(prompt, ENTITIES_ASKED)) return text;
  if (/<\/?[a-z][^<>\n]{0,80}>/i.test(text)) return text;
  return text.replaceAll(PLAIN_ENTITY, (entity, name: string) => own(PLAIN_ENTITIES, name) ?? entity);
}

/** Whole lines of pages and of chat windows, at the beginning or the end of an answer. */
const PAGE_LINE =
  // At most 120 characters.
  /^(?:copy code|regenerate(?: response)?|continue generating|stop generating|read (?:more|less)(?:\s?(?:…|\.\.\.|»|→))?|(?:show|see|load) (?:more|less)|skip to (?:main )?content|share this(?: (?:post|answer|article|page))?:?|was this (?:answer |page |article |review |post |response )?helpful\??.{0,40}|\d+ (?:people|users?|customers?) found this (?:\w+ )?helpful\.?|(?:sponsored|advertisement)(?: content)?|subscribe to .{1,60}newsletter.{0,20}|click here to .{1,60}|back to top|sent from my (?:iphone|ipad|android).{0,20}|accept(?: all)? cookies|\[?(?:note|disclaimer): this (?:response|answer|text) (?:was|is|has been) (?:generated|written|created) by .{1,80}|posted (?:by|on) .{1,60}|last (?:edited|updated):? (?:(?:by|on|at) )?.{1,80}|run code snippet|(?:hide|expand|show) (?:code )?snippet|read more:? ?https?:\/\/\S{1,90}|sign up for .{1,60}newsletter.{0,20}|share (?:on|via|to) .{1,40}|(?:this site|we) uses? cookies.{0,80}|(?:related|similar|recommended) (?:questions|articles|posts|reading):?|page \d{1,4}(?: (?:of|\/) \d{1,4})?|(?:©|\(c\)|copyright) .{0,100}|.{0,60}all rights reserved\.?|loading(?:…|\.\.\.)|like this:?|(?:edit|reply|quote|share|report|flag|like|follow)(?: ?[|·•] ?(?:edit|reply|quote|share|report|flag|like|follow))+|[[*⬆↑ ]{0,6}back to top[\](*#\w-]{0,40}[)*]{0,4}|advertisement(?: continue reading below)?|continue reading below|leer más(?:\s?(?:…|\.\.\.|»|→))?|compartir en .{1,40}|weiterlesen(?:\s?(?:…|\.\.\.|»|→))?|artikel teilen|lire la suite(?:\s?(?:…|\.\.\.|»|→))?|partager sur .{1,40}|点击阅读.{0,12}|阅读全文.{0,6}|分享到.{1,12}|关注我们.{0,12}|edited \d+ \w+ ago|chatgpt said:?|👍.{0,20}|(?:like|reply|share)(?: ?[·•|] ?(?:like|reply|share|report|\d{1,6}[a-z]?))+)$/i;
/** So many lines at each end may be the page's, one behind the other. */
const PAGE_LINES_MAX = 6;
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
  const isOfPage = (n: number): boolean => {
    const line = lines[n]?.trim() ?? '';
    return line.length <= 120 && PAGE_LINE.test(line);
  };
  const outer = new Set([...pageLines(written, isOfPage), ...pageLines(written.toReversed(), isOfPage)]);
  const kept = lines.filter((_, n) => !outer.has(n));
  return outer.size === 0 ? marked : kept.join('\n').replaceAll(/\n{3,}/g, '\n\n');
}

/** What stands on the buttons of a block of code. */
const CODE_BUTTON = /^\s*(?:copy(?: code)?|(?:run|hide|show|expand)(?: code)? snippet)\s*$/i;

function withoutCodeButtons(text: string): string {
  const lines = text.trim().split('\n');
  const isOfCode = (line: string): boolean => !CODE_BUTTON.test(line);
  const from = lines.findIndex(isOfCode);
  return from === -1 ? text : lines.slice(from, lines.findLastIndex(isOfCode) + 1).join('\n');
}

/** Of the lines from one end those of the page: one line of the answer may stand between them and the end. */
function pageLines(lines: readonly number[], isOfPage: (n: number) => boolean): number[] {
  const found: number[] = [];
  let others = 0;
  for (const line of lines.slice(0, PAGE_LINES_MAX)) {
    if (isOfPage(line)) found.push(line);
    else others += 1;
    if (others > 1) break;
  }
  return found;
}

const NAMED_TURN =
  /^\s*(?:(?:\*\*)?(?:assistant|chatgpt|ai assistant)(?:\*\*)?:(?:\*\*)?|#{2,4} ?response:)\s+(?=\S)/i;
const HEADED_TURN =
  /^[^\S\n\r\u2028\u2029]{0,40}#{2,4} ?(?:instruction|human|user|question|prompt):[^\S\n\r\u2028\u2029]{0,40}$/im;
/** A question and the name of who is to answer it, with nothing behind: a model went on with its prompt. */
const OPEN_TURN =
  /\n[^\S\n]*\n[^\S\n]{0,40}(?:\p{Lu}|\p{Lo})[\p{L}\d]{1,15}[:：][^\n]{1,500}\n{1,2}(?:\p{Lu}|\p{Lo})[\p{L}\d]{1,15}[:：]\s{0,40}$/u;
const USER_TURN = /^[^\S\n\r\u2028\u2029]{0,40}(?:\*\*)?(?:user|human):/im;
const ASSISTANT_TURN = /^[^\S\n\r\u2028\u2029]{0,40}(?:\*\*)?(?:assistant|ai|bot|chatgpt):/im;
const TURNS_ASKED =
  /\b(?:dialog|interview|script|scene|screenplay|chat|transcript|questions|quiz|faq|q ?& ?a|role-?play|format|template|example|translat)|^[^\S\n\r\u2028\u2029]{0,40}(?:assistant|ai|user|human|#{2,4} ?\w+):/im;

/** The question, repeated on lines of its own above the answer. */
function withoutQuestion(text: string, prompt: string): string {
  const question = prompt.trim();
  const answer = text.trimStart();
  if (!/[.?？!"”]$/.test(question) || !hasMoreWords(question, 3) || !answer.startsWith(question)) return text;
  const behind = answer.slice(question.length);
  // A text that goes on from its prompt begins with it.
  return (/[?？]$/.test(question) ? /^[^\S\n]*\n\s*\S/ : /^[^\S\n]*\n[^\S\n]*\n\s*\S/).test(behind)
    ? behind
    : text;
}

/** A further question, and the name of who is to answer it. */
function withoutOpenTurn(text: string, prompt: string): string {
  const turn = isAsked(prompt, TURNS_ASKED) ? null : OPEN_TURN.exec(text);
  return turn === null ? text : text.slice(0, turn.index);
}

function withoutTurns(whole: string, prompt: string): string {
  const text = withoutQuestion(whole, prompt);
  if (!/[:：]/.test(text) || isAsked(prompt, TURNS_ASKED)) return text;
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
/** The same in other languages, and sentences about the answer to come. */
const OTHER_OPENING =
  /^(?:(?:gerne|natürlich|selbstverständlich|claro(?: que sí)?|por supuesto|desde luego|bien sûr|avec plaisir)!\s+|(?:好的|当然)[，,！!](?:以下|下面)是(?:我的|对您问题的)?(?:回答|答案)：\s*|als ki(?:-sprachmodell)? beantworte ich [^.:!?\n]{1,60}:\s*\n|作为(?:一个|一名)?(?:人工智能|AI)(?:语言模型|助手)?，我(?:可以|能|会|很乐意)[^。\n]{0,12}(?:回答|帮助)[^。\n]{0,16}。\s*)/iu;
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
  `(?:^|(?<=[.!?)…»”"'\\]]\\s{0,4}|\\n))(?:(?:i )?hope (?:this|that) (?:helps?|helped|is helpful|answers your question|clarifies things)(?: you)?|(?:please )?(?:let me know|feel free to (?:ask|reach out|let me know|contact me)|don['’]t hesitate to (?:ask|reach out|contact me)),? ${WANTS}|(?:please )?feel free to ask(?: me)?(?: ${QUESTIONS})?|${WANTS},? (?:please )?(?:let me know|feel free to (?:ask|reach out)|don['’]t hesitate to (?:ask|reach out)|just ask)|(?:is|was) there anything else (?:i can (?:help|assist)(?: you)?(?: with)?|you(?: would|['’]d) like to know|i can do for you)(?: today)?|(?:please )?(?:let me know|feel free to ask),? if (?:you(?:['’]d| would) like|you want|you need) me to [^.!?\\n\\d]{1,140}|(?:is|was) there anything else (?:that )?you(?:['’]d| would) like me to [^.!?\\n\\d]{1,80}|(?:would you like|do you want) me to [^.!?\\n\\d]{1,140}|¿?hay algo más en (?:lo )?que (?:pueda|puedo) ayudarte|(?:espero que (?:esto|te) (?:ayude|sirva)|j['’]espère que cela (?:vous|t)['’ ]?aide|ich hoffe,? (?:das|dies) hilft(?: dir| ihnen| weiter)?)|希望(?:以上|这些?|我的)?(?:回答|信息|内容|解释)?(?:能)?对(?:你|您)有(?:所)?帮助)[.!?。！？]?(?:\\s?\\p{Extended_Pictographic}\\uFE0F?)?\\s*$`,
  'iu',
);
const LETTERS_ASKED =
  /\b(?:letter|e-?mail|message|reply|respond|response|speech|script|post|tweet|text|invitation|announcement|note|greet\w*|thank|customer|story|dialog\w*|chat\w*|polite\w*|say to|role-?play|assistant|act as|translat\w*|quote|sentence)\b/i;

function withoutAssistant(text: string, prompt: string): string {
  if (isAsked(prompt, LETTERS_ASKED)) return text;
  let rest = text.trim();
  const said = OPENING.exec(rest)?.[0] ?? OTHER_OPENING.exec(rest)?.[0] ?? '';
  const mayAnswer =
    CLOSED_QUESTION.test(prompt.slice(-ASKED_CHARACTERS)) && !/^(?:great|good) question/i.test(said);
  const begun = mayAnswer ? '' : said;
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

/** Characters of a text that is no word or two. */
const SAID_TWICE_MIN = 15;
/** Shorter paragraphs and sentences may be said twice. */
const PARAGRAPH_CHARACTERS_MIN = 40;
const SENTENCE_WORDS_MIN = 6;
const REPETITION_ASKED =
  /\b(?:repeat\w*|refrain|chorus|songs?|poems?|lyrics?|verses?|rhymes?|twice|times|lists?|chants?|mantras?)\b/i;

/** Without its second half where both say the same. */
function withoutSecond(text: string, prompt: string): string {
  const whole = text.trim();
  const half = whole.slice(0, whole.length / 2).trimEnd();
  if (half.length < SAID_TWICE_MIN || !whole.endsWith(half) || isAsked(prompt, REPETITION_ASKED)) return text;
  const between = whole.slice(half.length, whole.length - half.length);
  // An aphorism may be one sentence twice, and steps may be alike.
  const isMeant = sentencesOf(half).length < 2 && /[.!?。！？]["”’)]?$/.test(half);
  return /^\s{0,4}$/.test(between) &&
    !isMeant &&
    /\p{L}{3}|\p{Lo}/u.test(half) &&
    (hasMoreWords(half, SENTENCE_WORDS_MIN) || /\p{Lo}/u.test(half))
    ? half
    : text;
}

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

const sentencesOf = (text: string): string[] => text.split(/(?<=[.!?])(?=\s)|(?<=[。！？])/);

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
    /[.!?。！？]["”’)]?$/.test(said) &&
    (said.match(/\p{L}+/gu)?.length ?? 0) >= (/\p{Script=Han}/u.test(said) ? 1 : SENTENCE_WORDS_MIN) &&
    said.length >= SAID_TWICE_MIN
  );
}

/** A word that heads an answer. One that may begin a text heads it only on a line of its own. */
const HEADING =
  /^\s*(?:#{1,4} |<h\d>)?(?:\*\*)?(?:the )?(?:(?:final |correct )?(?:answer|label)|sql query|tl;dr|respuesta|antwort|réponse|resposta|risposta|答案|回答)(?: is)?(?:\*\*|<\/h\d>)?\s?(?:[:：](?:\*\*)?\s*|\n+(?<=<\/h\d>\s{0,4}))(?=\S)/iu;
const HEADING_LINE =
  /^\s*(?:#{1,4} |\*\*)?(?:solution|result|output|summary|query|sql|code|command)(?:\*\*)?\s?[:：](?:\*\*)?[^\S\n]*\n\s*(?=\S)/i;

/** Behind a heading so few words are a result, whatever the prompt names. */
const HEADED_WORDS_MAX = 3;

function withoutHeading(text: string, prompt: string): string {
  const heading = (HEADING.exec(text) ?? HEADING_LINE.exec(text))?.[0];
  const word = /\p{L}[\p{L};]*/u.exec(heading?.replace(/\bthe\b|final|correct/i, '') ?? '')?.[0];
  // With further headings or paragraphs it is the first of several parts.
  if (
    heading === undefined ||
    word === undefined ||
    /\n[^\S\n]{0,8}[\p{L}*]{2,20}[:：]|\S[^\S\n]*\n[^\S\n]*\n\s*\S/u.test(text.slice(heading.length))
  )
    return text;
  // Who names it in the prompt may want it in the answer.
  const rest = text.slice(heading.length);
  const isMeant = prompt.toLowerCase().includes(word.toLowerCase()) && hasMoreWords(rest, HEADED_WORDS_MAX);
  return isMeant ? text : rest;
}

/** The one text of an object of JSON, or the object in a text of JSON. */
function withoutField(text: string, prompt: string): string {
  const answer = text.trim();
  if (!/^(?:\{\s*"\w{1,30}"\s*:\s*"|"\{)/.test(answer)) return text;
  if (
    answer.startsWith('{') &&
    !/^\{\s*"(?:answer|response|output|completion|result|text|label|content)"/i.test(answer)
  )
    return text;
  if (answer.startsWith('{') && isAsked(prompt, /json|\{|object|field|manifest|config/i)) return text;
  try {
    const value: unknown = JSON.parse(answer);
    if (typeof value === 'string') return typeof JSON.parse(value) === 'object' ? value : text;
    const texts = Object.values(value as object);
    return texts.length === 1 && typeof texts[0] === 'string' ? texts[0] : text;
  } catch {
    return text;
  }
}

const USUAL_SHARE_MIN = 0.2;
/** In a column of which fewer answers have it, it is none of its form. */
const RARE_SHARE_MAX = 0.04;
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
    kind: 'markup',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'entities of markup',
    isCertain: false,
    isInCode: true,
    isOfMaterial: true,
    clean: withoutEntities,
  },
  {
    kind: 'page',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'words of a page around it',
    isCertain: false,
    isInCode: true,
    isOfMaterial: false,
    clean: withoutCodeButtons,
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
    kind: 'outside',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'text around its block of code',
    isCertain: false,
    isInCode: true,
    isOfMaterial: false,
    suits: areFenced,
    clean: withoutOutside,
  },
  {
    kind: 'field',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'an object around it',
    isCertain: false,
    isInCode: true,
    isOfMaterial: false,
    clean: withoutField,
  },
  {
    kind: 'heading',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'a heading',
    isCertain: false,
    isInCode: true,
    isOfMaterial: false,
    clean: withoutHeading,
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
    kind: 'turn',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'a further turn behind it',
    isCertain: false,
    isInCode: true,
    isOfMaterial: false,
    clean: withoutOpenTurn,
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
  {
    kind: 'repeated',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'all of it twice',
    isCertain: false,
    isInCode: true,
    isOfMaterial: false,
    clean: withoutSecond,
  },
  {
    kind: 'lead',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'a line that announces it',
    isCertain: false,
    isInCode: true,
    isOfMaterial: false,
    suits: areNoTexts,
    clean: withoutLead,
  },
  {
    kind: 'further',
    ownShareMin: RARE_SHARE_MAX,
    why: 'a paragraph behind it',
    isCertain: false,
    isInCode: true,
    isOfMaterial: false,
    suits: areNoTexts,
    clean: withoutFurther,
  },
  {
    kind: 'wrapper',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'marks around it',
    isCertain: false,
    isInCode: true,
    isOfMaterial: false,
    suits: areNoTexts,
    clean: withoutWrapper,
  },
  {
    kind: 'console',
    ownShareMin: USUAL_SHARE_MIN,
    why: 'the mark of a shell',
    isCertain: false,
    isInCode: true,
    isOfMaterial: false,
    suits: areNoTexts,
    clean: withoutShell,
  },
];

/** The kinds of debris that are a column's own form. */
export function ownDebris(
  answers: readonly Pick<DebrisSource, 'answer' | 'prompt' | 'request'>[],
): ReadonlySet<DebrisKind> {
  const own = new Set<DebrisKind>();
  const texts = answers.map(({ answer }) => answer.slice(0, LOOKED_AT_MAX).trim());
  for (const { kind, ownShareMin, isOfMaterial, suits, clean } of CLEANERS) {
    if (suits !== undefined && !suits(texts)) own.add(kind);
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
