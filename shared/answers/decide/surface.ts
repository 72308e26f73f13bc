/** How carelessly a text is written, and the edits that fix it without a model. */

/** Chat words of English, with their meaning: they count in texts that begin small. Only unambiguous ones. */
const SLIPS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    dont: "don't",
    doesnt: "doesn't",
    didnt: "didn't",
    couldnt: "couldn't",
    wouldnt: "wouldn't",
    shouldnt: "shouldn't",
    isnt: "isn't",
    arent: "aren't",
    wasnt: "wasn't",
    werent: "weren't",
    hasnt: "hasn't",
    havent: "haven't",
    ive: "I've",
    youre: "you're",
    theyre: "they're",
    thats: "that's",
    whats: "what's",
    theres: "there's",
    youll: "you'll",
    youve: "you've",
    itll: "it'll",
    u: 'you',
    ur: 'your',
    ppl: 'people',
    pls: 'please',
    plz: 'please',
    thx: 'thanks',
    cuz: 'because',
    coz: 'because',
    b4: 'before',
    gonna: 'going to',
    wanna: 'want to',
    gotta: 'have to',
    prob: 'probably',
    probs: 'probably',
    idk: "I don't know",
    thru: 'through',
    abt: 'about',
  }),
);

/** Common misspellings of English that are no words, names or abbreviations. */
const MISSPELT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    alot: 'a lot',
    recieve: 'receive',
    definately: 'definitely',
    seperate: 'separate',
    becuase: 'because',
    untill: 'until',
    tommorow: 'tomorrow',
    tomorow: 'tomorrow',
    occured: 'occurred',
    begining: 'beginning',
    beleive: 'believe',
    freind: 'friend',
    goverment: 'government',
    enviroment: 'environment',
    neccessary: 'necessary',
    necesary: 'necessary',
    probly: 'probably',
    realy: 'really',
    writting: 'writing',
    thier: 'their',
    wierd: 'weird',
    adress: 'address',
    accomodate: 'accommodate',
    noone: 'no one',
    aswell: 'as well',
    hte: 'the',
    taht: 'that',
    somthing: 'something',
    diffrent: 'different',
    intresting: 'interesting',
    usualy: 'usually',
    finaly: 'finally',
    grammer: 'grammar',
    existance: 'existence',
    independant: 'independent',
    publically: 'publicly',
  }),
);

/** Filler words that are removed. */
const NOISE = /\b(?:lol|lmao|haha+|xd|imo|tbh|btw|omg|smh)\b[,.!]*\s*/giu;

const WORD = /(?<![\p{L}\p{N}'’@#/._-])[\p{L}][\p{L}\p{N}]{0,15}(?![\p{L}\p{N}'’@/_-]|\.\p{L})/gu;

const CLOSED = /[.!?。！？…।۔؟)\]}"'”’»›`|*:$]$|\p{Extended_Pictographic}$/u;

/** Longest text whose words are examined. */
const LOOKED_AT_MAX = 20_000;
/** Longest text that is tidied; longer ones fit no model. */
const TIDIED_MAX = 500_000;

/** Chat words, misspellings and missing apostrophes of a text. */
export function slipsOf(text: string): string[] {
  const looked = withoutLiterals(text.slice(0, LOOKED_AT_MAX));
  const slips: string[] = [];
  const isChat = looksLikeChat(looked);
  const meaningOf = slipReader(looked, isChat);
  for (const word of looked.match(WORD) ?? []) {
    if (meaningOf(word) !== null) slips.push(word);
  }
  if (!isChat) return slips;
  const noises = looked.match(NOISE) ?? [];
  slips.push(...noises.map((noise) => noise.trim()));
  const plain = (noises.length === 0 ? looked : looked.replaceAll(NOISE, ' ')).replaceAll(/[ \t]{2,}/g, ' ');
  if (/\bits (?:a|an|the|not|because)\b/i.test(plain)) slips.push('its');
  return slips;
}

/**
 * Reads chat words and misspellings of a text: returns what a word means; null if it is none. Chat words are names,
 * abbreviations and quantities in all texts but chats. A text that has the right spelling too speaks about the wrong one.
 */
function slipReader(text: string, isChat: boolean): (word: string) => string | null {
  let lower: string | null = null;
  const isSpelled = new Map<string, boolean>();
  const hasRight = (meant: string): boolean => {
    lower ??= text.toLowerCase();
    const known = isSpelled.get(meant) ?? lower.includes(meant.toLowerCase());
    isSpelled.set(meant, known);
    return known;
  };
  return (word) => {
    if (isChat && word === 'i') return 'I';
    const known = isChat ? (SLIPS.get(word) ?? MISSPELT.get(word)) : MISSPELT.get(word);
    return known === undefined || hasRight(known) ? null : known;
  };
}

/** In mathematics, science and programs single letters are quantities, not chat words. */
const TECHNICAL =
  /[=^\\$<>*+²³√π∑|~{};]|(?:^|\s)--?\w|\b(?:variables?|radius|loops?|index|matrix|vectors?|nodes?|arrays?|equations?|functions?|factorial|sum\b|iterat\w+|parameters?|integers?|denotes?|coefficients?|where [a-z] is|let [a-z]\b)/i;

/** Whether a text may be a chat: it begins in lower case and is not technical. */
function looksLikeChat(text: string): boolean {
  return /^\s*\p{Ll}/u.test(text) && !TECHNICAL.test(text);
}

/** Whether a text has signs of a command, of code or of a formula, in which a small first letter is meant. */
export const hasNotation = (text: string): boolean => /[=^\\$<>|~{};]|(?:^|\s)--?\w/.test(text);

/** Removes code, links and quotations, whose words are not the writer's prose. */
function withoutLiterals(text: string): string {
  if (!/[`"“«]|https?:/.test(text)) return text;
  return text
    .replaceAll(/```[\s\S]{0,20000}?(?:```|$)/g, ' ')
    .replaceAll(/`[^`\n]{1,200}`/g, ' ')
    .replaceAll(/https?:\/\/\S{1,500}/g, ' ')
    .replaceAll(/["“«][^"“”«»`\n]{1,500}["”»]/g, ' ');
}

export interface Surface {
  readonly startsSmall: boolean;
  readonly isUnclosed: boolean;
  readonly slips: readonly string[];
}

/** The carelessness of a text. Scripts without case have no lower-case beginning. */
export function surfaceOf(text: string): Surface {
  const trimmed = text.trim();
  return {
    startsSmall: beginsSmall(trimmed),
    isUnclosed: !isClosed(trimmed),
    slips: slipsOf(trimmed),
  };
}

/** Whether a text begins with a lower-case letter that is not part of code, a link or a brand. */
export function beginsSmall(text: string): boolean {
  const start = text.trimStart();
  return /^\p{Ll}/u.test(start) && !/^\w{1,60}\(|^[a-z]{1,60}[A-Z_]|^https?:/.test(start);
}

/** Whether a trimmed text ends like a sentence, a list item or a signature. */
export function isClosed(text: string): boolean {
  if (CLOSED.test(text)) return true;
  const lastLine = text.slice(text.lastIndexOf('\n') + 1);
  // List items, table rows and signatures end without punctuation.
  return (
    /^\s*(?:[-*•–]|\d+[.)]|[A-Za-z][.)]|Day \d+|Step \d+|Día \d+|Tag \d+|#+)\s?/.test(lastLine) ||
    (text.includes('\n') && lastLine.split(/\s+/).length <= 8)
  );
}

/**
 * Whether a text is careless prose. A whole sentence may begin in lower case, with a command or a name; a phrase
 * without punctuation may not, and neither may several sentences.
 */
export function isCareless(
  text: string,
  isEnglish: boolean,
  { startsSmall, isUnclosed, slips }: Surface = surfaceOf(text),
): boolean {
  if (isEnglish && slips.length > 0) return true;
  return startsSmall && (isUnclosed || /[.!?]\s+\p{Ll}{2,}/u.test(text.slice(0, LOOKED_AT_MAX)));
}

/**
 * Fixes unambiguous errors of English: known misspellings and the pronoun I; and first letters and the final punctuation,
 * unless they may be meant: those of a command or a formula are.
 * @param isSentence whether the text is meant as sentences
 */
export function tidy(text: string, isSentence = true): string {
  let at = 0;
  let mended = '';
  const source = text.trim();
  if (source.length > TIDIED_MAX) return source;
  const looked = withoutLiterals(source.slice(0, LOOKED_AT_MAX));
  const isChat = looksLikeChat(looked);
  const write = (part: string): string => tidyWords(part, isChat, slipReader(looked, isChat));
  // Code, links and quotations stay as they are.
  for (const match of source.matchAll(
    /```[\s\S]{0,20000}?(?:```|$)|`[^`\n]{1,200}`|https?:\/\/\S{1,500}|["“«][^"“”«»`\n]{1,500}["”»]/g,
  )) {
    mended += write(source.slice(at, match.index)) + match[0];
    at = match.index + match[0].length;
  }
  mended += write(source.slice(at));
  if (!isSentence) return mended.trim();
  mended = withoutTrailingCommas(mended.trim());
  if (beginsSmall(mended)) mended = capital(mended.charAt(0)) + mended.slice(1);
  return isClosed(mended) ? mended : `${mended}${/[\u3040-\u30ff\u4e00-\u9fff]$/.test(mended) ? '。' : '.'}`;
}

/** The capital of a letter; the letter itself if its capital is not one letter, such as that of ß. */
function capital(letter: string): string {
  const upper = letter.toUpperCase();
  return upper.toLowerCase() === letter ? upper : letter;
}

/** Abbreviations, whose point does not end a sentence. */
const ABBREVIATED = /(?:^|["'“(])(?:etc|vs|approx|ca|cf|no|nr|st|dr|mr|mrs|ms|\p{L}(?:\.\p{L})*)$|\.$/iu;

function withoutTrailingCommas(text: string): string {
  let end = text.length;
  while (end > 0 && /[,\s]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function tidyWords(text: string, isChat: boolean, meaningOf: ReturnType<typeof slipReader>): string {
  const plain = isChat
    ? text
        .replaceAll(NOISE, ' ')
        .replaceAll(/[ \t]{2,}/g, ' ')
        .replaceAll(/\bits (?=(?:a|an|the|not|because)\b)/gi, "it's ")
    : text;
  return plain
    .replaceAll(WORD, (word) => {
      const meant = meaningOf(word);
      if (meant === null) return word;
      if (word === 'i') return meant;
      return word.charAt(0) === word.charAt(0).toLowerCase()
        ? meant
        : meant.charAt(0).toUpperCase() + meant.slice(1);
    })
    .replaceAll(/(?<=(\S{0,12})[.!?]\s)\p{Ll}/gu, (letter, before: string) =>
      ABBREVIATED.test(before) ? letter : capital(letter),
    );
}

/** Whether a prompt is already well written. */
export function isWellWritten(text: string, detectLanguage: (text: string) => string | null): boolean {
  const isEnglish = (detectLanguage(text) ?? 'en') === 'en';
  const surface = surfaceOf(text);
  return !surface.startsSmall && !surface.isUnclosed && !isCareless(text, isEnglish, surface);
}
