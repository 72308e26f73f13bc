const MEBIBYTE = 1024 * 1024;
/** Tokens that a parser reads beyond an object: a reference is three, and a stream begins after its dictionary. */
const TOKENS_AHEAD = 2;

const [TAB, LINE_FEED, FORM_FEED, RETURN, SPACE] = [9, 10, 12, 13, 32];
const code = (sign: string): number => sign.charCodeAt(0);
const [PERCENT, OPEN, CLOSE, BACKSLASH] = [code('%'), code('('), code(')'), code('\\')];
const [LESS, MORE, OPEN_LIST, CLOSE_LIST] = [code('<'), code('>'), code('['), code(']')];
/** A reader takes a header up to the end of its line or the first `<`. */
const LINE_ENDS: ReadonlySet<number> = new Set([LINE_FEED, RETURN, LESS]);
const STREAM = Buffer.from('stream');

/** What a byte is: a space, a delimiter, or (0) a part of a word. */
const IS_SPACE = 1;
const IS_DELIMITER = 2;
const kinds = new Uint8Array(256);
for (const byte of [0, TAB, LINE_FEED, FORM_FEED, RETURN, SPACE]) kinds[byte] = IS_SPACE;
for (const sign of '%()<>[]/') kinds[code(sign)] = IS_DELIMITER;
const kindOf = (byte: number | undefined): number => kinds[byte ?? 0] as number;

/**
 * Whether objects of a PDF run into each other without end. A reader that finds the cross-reference table broken reads
 * each object and each trailer to its end: in a file whose objects do not end, all of the file for each of them, which is
 * quadratic. Objects that end lie one after another, so that all of them together are not larger than the file.
 */
export function hasEndlessObjects(bytes: Buffer): boolean {
  const bytesMax = 4 * bytes.length + MEBIBYTE;
  let read = 0;
  for (const start of starts(bytes)) {
    read += objectBytes(bytes, start, bytesMax - read);
    if (read > bytesMax) return true;
  }
  return false;
}

/** Where a reader begins to read an object: after its header or `trailer`, and where the line of its header ends. */
function* starts(bytes: Buffer): Generator<number> {
  for (const end of wordEnds(bytes, 'trailer')) yield end;
  let lineEnd = 0;
  for (const end of wordEnds(bytes, 'obj')) {
    if (!followsNumber(bytes, end - 'obj'.length)) continue;
    yield end;
    lineEnd = Math.max(lineEnd, end);
    while (lineEnd < bytes.length && !LINE_ENDS.has(bytes[lineEnd] as number)) lineEnd += 1;
    yield lineEnd;
  }
}

function* wordEnds(bytes: Buffer, word: string): Generator<number> {
  for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, at + word.length))
    yield at + word.length;
}

/** Whether spaces, and a digit before them, stand before a place. */
function followsNumber(bytes: Buffer, place: number): boolean {
  let at = place - 1;
  while (at >= 0 && kindOf(bytes[at]) === IS_SPACE) at -= 1;
  const byte = bytes[at] ?? 0;
  return at < place - 1 && byte >= code('0') && byte <= code('9');
}

/** Bytes that a parser reads for the object that begins at `start`, or just more than `bytesMax`. */
function objectBytes(bytes: Buffer, start: number, bytesMax: number): number {
  const end = Math.min(bytes.length, start + bytesMax + 1);
  let depth = 0;
  let tokens = 0;
  let at = start;
  while (at < end && tokens <= TOKENS_AHEAD) {
    const byte = bytes[at] as number;
    const isDouble = bytes[at + 1] === byte;
    if (kindOf(byte) === IS_SPACE) at += 1;
    else if (byte === PERCENT) at = lineEnd(bytes, at, end);
    else {
      if (byte === OPEN_LIST || (byte === LESS && isDouble)) depth += 1;
      if (byte === CLOSE_LIST || (byte === MORE && isDouble)) depth -= 1;
      const next = tokenEnd(bytes, at, end);
      // What follows is no token any more.
      if (depth <= 0 && STREAM.equals(bytes.subarray(at, next))) break;
      at = next;
      if (depth <= 0) tokens += 1;
    }
  }
  return Math.min(at, end) - start;
}

/** Where the token that begins at `at` ends: a text, a bracket, or a word. */
function tokenEnd(bytes: Buffer, at: number, end: number): number {
  const byte = bytes[at];
  if (byte === OPEN) return textEnd(bytes, at, end);
  if (byte === LESS || byte === MORE) {
    if (bytes[at + 1] === byte) return at + 2;
    return byte === LESS ? hexEnd(bytes, at, end) : at + 1;
  }
  let next = at + 1;
  while (next < end && kindOf(bytes[next]) === 0) next += 1;
  return next;
}

function textEnd(bytes: Buffer, start: number, end: number): number {
  let depth = 0;
  for (let at = start; at < end; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1;
    else if (bytes[at] === OPEN) depth += 1;
    else if (bytes[at] === CLOSE) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return end;
}

function hexEnd(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== MORE) at += 1;
  return at + 1;
}

function lineEnd(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== LINE_FEED && bytes[at] !== RETURN) at += 1;
  return at + 1;
}
