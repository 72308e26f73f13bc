import { fileUnreadable, quoteName } from './file-error.ts';
import { INCOMPLETE, JsonTextError, ObjectScanner, scannedKey, skipSpaces, valueKind } from './raw-object.ts';

/** Where the rows of a JSON text are: objects on lines, an array, or the array under one key of an object. */
export interface JsonLayout {
  readonly format: 'json' | 'jsonl';
  /** Offset of the array, or of the first line. */
  readonly start: number;
  /** The key of the array, and the keys before it; null where the text itself is the array, or lines. */
  readonly under: { readonly key: string; readonly before: readonly string[] } | null;
  /** Whether the objects stand one behind another, over several lines or with commas between them, without an array around them. */
  readonly isSequence?: true;
}

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const COMMA = 0x2c;
const NEWLINE = 0x0a;

/** Keys of an export of spans or log records. */
const SPAN_KEYS: ReadonlySet<string> = new Set(['resourceSpans', 'resourceLogs']);

/** Keys of the turns of a conversation: an array of them is a cell, not rows. */
const TURN_KEYS: ReadonlySet<string> = new Set(['role', 'from', 'content', 'value']);

/**
 * Tells from a text's beginning where its rows are; null if it is no JSON with rows, so that the reader of the announced format
 * says what is wrong. A text that begins with an array is one, whatever it was announced as; objects one behind another are lines.
 * @param announced an object that was announced as a line is a row, though it may hold an array of objects
 * @throws {ServiceError} `file_unreadable` for an object with rows under several keys
 */
export function readJsonLayout(head: Buffer, announced: 'json' | 'jsonl'): JsonLayout | null {
  const start = skipSpaces(head, 0, head.length);
  if (head[start] === OPEN_BRACKET) {
    const first = skipSpaces(head, start + 1, head.length);
    return head[first] === OPEN_BRACE ? { format: 'json', start, under: null } : null;
  }
  if (head[start] !== OPEN_BRACE) return null;
  const scanner = new ObjectScanner({ lenient: true });
  try {
    const end = scanner.scan(head, start, head.length);
    const next = end === INCOMPLETE ? head.length : skipSpaces(head, end, head.length);
    // Where more text follows, the reader of the array says so.
    const isAlone = end !== INCOMPLETE && next === head.length;
    if (announced === 'json') {
      const isOpen = end === INCOMPLETE;
      const whole = isAlone || isOpen ? keyedRows(head, scanner) : null;
      const keyed = whole ?? (isOpen ? rowsBehind(head, scanner, start) : null);
      // An exporter of spans writes one long object a line, whatever the name of its file: further objects may follow.
      const isBatch = isOpen && SPAN_KEYS.has(keyed?.under?.key ?? '') && !head.includes(NEWLINE, start);
      if (isBatch) return { format: 'json', start, under: null, isSequence: true };
      if (keyed !== null) return keyed;
    }
    // A single object that was announced as JSON is none of its formats: the reader of arrays says what to do.
    if (end !== INCOMPLETE && isSequence(head, start, end, next)) {
      return { format: 'json', start, under: null, isSequence: true };
    }
    const isLines = announced === 'jsonl' || head[next] === OPEN_BRACE;
    if (end !== INCOMPLETE && isLines) return { format: 'jsonl', start, under: null };
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
  }
  return null;
}

/** Whether further objects follow one that takes several lines, or that a comma ends. */
function isSequence(head: Buffer, start: number, end: number, next: number): boolean {
  if (head[next] === COMMA) return head[skipSpaces(head, next + 1, head.length)] === OPEN_BRACE;
  return head[next] === OPEN_BRACE && head.subarray(start, end).includes(NEWLINE);
}

/** The rows under a key of an object that was scanned as a whole. */
function keyedRows(head: Buffer, scanner: ObjectScanner): JsonLayout | null {
  const keys = Array.from({ length: scanner.count }, (_, index) => scannedKey(head, scanner, index));
  const found = keys.flatMap((key, index) => {
    const start = scanner.valueStarts[index] as number;
    return scanner.kinds[index] === valueKind.array && holdsRows(head, start) ? [{ key, start }] : [];
  });
  const [first, ...others] = found;
  if (first === undefined) return null;
  // A trace that was downloaded from Langfuse: its scores say nothing without it.
  const observations = found.find(({ key }) => key === 'observations');
  const isTrace = observations !== undefined && keys.includes('scores') && keys.includes('sessionId');
  if (isTrace) return under(observations, keys);
  if (others.length > 0) throw severalKeys(found.map(({ key }) => key));
  return under(first, keys);
}

const under = (
  { key, start }: { readonly key: string; readonly start: number },
  keys: readonly string[],
): JsonLayout => ({ format: 'json', start, under: { key, before: keys.slice(0, keys.indexOf(key)) } });

/** The rows under the key that follows the whole members of an object that goes on behind `head`. */
function rowsBehind(head: Buffer, scanner: ObjectScanner, objectStart: number): JsonLayout | null {
  const last = scanner.count - 1;
  let at = skipSpaces(head, last < 0 ? objectStart + 1 : (scanner.valueEnds[last] as number), head.length);
  if (last >= 0 && head[at] === COMMA) at = skipSpaces(head, at + 1, head.length);
  const key = new ObjectScanner();
  const keyEnd = key.skipValue(head, at, head.length);
  if (keyEnd === INCOMPLETE) return null;
  const start = skipSpaces(head, skipSpaces(head, keyEnd, head.length) + 1, head.length);
  if (head[start] !== OPEN_BRACKET || !holdsRows(head, start)) return null;
  const before = Array.from({ length: scanner.count }, (_, index) => scannedKey(head, scanner, index));
  return {
    format: 'json',
    start,
    under: { key: JSON.parse(head.toString('utf8', at, keyEnd)) as string, before },
  };
}

/** Whether an array begins with an object that is no turn of a conversation. */
function holdsRows(head: Buffer, arrayStart: number): boolean {
  const first = skipSpaces(head, arrayStart + 1, head.length);
  if (head[first] !== OPEN_BRACE) return false;
  const scanner = new ObjectScanner({ lenient: true });
  scanner.scan(head, first, head.length);
  const keys = Array.from({ length: scanner.count }, (_, index) => scannedKey(head, scanner, index));
  return keys.filter((key) => TURN_KEYS.has(key)).length < 2;
}

function severalKeys(keys: readonly string[]): Error {
  const named = keys.slice(0, 5).map(quoteName).join(', ');
  return fileUnreadable(
    `The file has rows under several keys: ${named}. Upload each of these arrays as a file of its own.`,
  );
}

/**
 * Reads the members of an object behind the array that holds its rows: their keys.
 * @throws {ServiceError} `file_unreadable` if the text is no end of an object, or holds further rows
 */
export function readKeysBehind(text: Buffer, under: string): string[] {
  const object = Buffer.concat([Buffer.from('{"":0'), text]);
  const scanner = new ObjectScanner({ lenient: true });
  try {
    const end = scanner.scan(object, 0, object.length);
    if (end === INCOMPLETE) throw new JsonTextError('the text ends inside the object', object.length);
    if (skipSpaces(object, end, object.length) !== object.length) {
      throw new JsonTextError('something follows the object', end);
    }
  } catch (cause) {
    if (!(cause instanceof JsonTextError)) throw cause;
    throw fileUnreadable(
      `The file is not valid JSON behind the array under ${quoteName(under)}: ${cause.message}. Correct it and upload it again.`,
      cause,
    );
  }
  const keys = Array.from({ length: scanner.count - 1 }, (_, index) => ({
    key: scannedKey(object, scanner, index + 1),
    start: scanner.valueStarts[index + 1] as number,
  }));
  // Of a trace of Langfuse, its scores.
  const isTrace = under === 'observations';
  const further = isTrace
    ? []
    : keys.filter(({ start }) => object[start] === OPEN_BRACKET && holdsRows(object, start));
  if (further.length > 0) throw severalKeys([under, ...further.map(({ key }) => key)]);
  return keys.map(({ key }) => key);
}
