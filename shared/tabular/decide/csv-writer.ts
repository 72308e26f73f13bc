import type { RowsColumn } from '../schema/rows-manifest.ts';
import { BlockWriter } from './block-writer.ts';
import { DELIMITERS } from './csv-delimiters.ts';
import { scanLine } from './join-rows.ts';
import { LineCursor } from './line-cursor.ts';
import { MemberSlots } from './member-slots.ts';
import { ObjectScanner } from './raw-object.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const UNICODE_ESCAPE = 0x75;

/** Bytes that require quotes around a cell. They include all known delimiters, so that readers detect ours. */
const quotedBytes = new Uint8Array(256);
for (const delimiter of DELIMITERS) quotedBytes[delimiter.charCodeAt(0)] = 1;

/** The byte of a two-character JSON escape, by its letter. */
const escapedBytes = new Uint8Array(256);
for (const [letter, content] of Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '"': '"' })) {
  escapedBytes[letter.charCodeAt(0)] = content.charCodeAt(0);
}
escapedBytes[BACKSLASH] = BACKSLASH;
escapedBytes[0x2f] = 0x2f;

/**
 * Writes canonical lines as CSV (RFC 4180, comma, `\n`, a header): strings unchanged, other values as JSON text, null
 * and missing as empty cells. Lone surrogates, which UTF-8 cannot encode, become U+FFFD.
 */
export async function* writeCsv(
  columns: readonly RowsColumn[],
  rows: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  const lines = new LineCursor(rows);
  const slots = new MemberSlots(columns.map(({ name }) => name));
  const scanner = new ObjectScanner();
  const output = new BlockWriter();
  const single = columns.length === 1;
  output.write(Buffer.from(`${columns.map(({ name }) => headerCell(name, single)).join(',')}\n`, 'utf8'));
  try {
    while (lines.step() || (await lines.fill())) {
      scanLine(scanner, lines);
      const found = slots.find(lines.bytes, scanner);
      const rowStart = output.length;
      for (let slot = 0; slot < found.length; slot += 1) {
        if (slot > 0) output.writeByte(COMMA);
        const at = found[slot] as number;
        if (at !== -1) {
          writeCell(output, lines.bytes, scanner.valueStarts[at] as number, scanner.valueEnds[at] as number);
        }
      }
      // Readers leave out a row of nothing but delimiters; quotes say that it is meant.
      if (output.length === rowStart + found.length - 1) {
        output.length = rowStart;
        output.writeByte(QUOTE);
        output.writeByte(QUOTE);
        for (let slot = 1; slot < found.length; slot += 1) output.writeByte(COMMA);
      }
      output.writeByte(0x0a);
      if (output.full) yield output.take();
    }
    if (output.length > 0) yield output.take();
  } finally {
    await lines.close();
  }
}

function headerCell(name: string, single: boolean): string {
  // A leading U+FEFF would be read as the file's byte order mark.
  const plain = !/[",;\t|\r\n]|^\uFEFF/.test(name) && !(single && name === '');
  return plain ? name : `"${name.replaceAll('"', '""')}"`;
}

function writeCell(output: BlockWriter, bytes: Buffer, start: number, end: number): void {
  const isString = bytes[start] === QUOTE;
  if (!isString && bytes[start] === 0x6e) return;
  if (!isString) {
    writeJsonText(output, bytes, start, end);
    return;
  }
  let quoted = false;
  let escaped = false;
  for (let at = start + 1; at < end - 1; at += 1) {
    const byte = bytes[at] as number;
    if (quotedBytes[byte] === 1) quoted = true;
    else if (byte === BACKSLASH) {
      escaped = true;
      at += 1;
      const letter = bytes[at] as number;
      if (letter === UNICODE_ESCAPE) {
        writeDecoded(output, JSON.parse(bytes.toString('utf8', start, end)) as string);
        return;
      }
      if (letter === QUOTE || letter === 0x6e || letter === 0x72 || letter === 0x74) quoted = true;
    }
  }
  if (quoted) output.writeByte(QUOTE);
  if (escaped) writeUnescaped(output, bytes, start + 1, end - 1);
  else output.write(bytes, start + 1, end - 1);
  if (quoted) output.writeByte(QUOTE);
}

function writeUnescaped(output: BlockWriter, bytes: Buffer, start: number, end: number): void {
  // A doubled quote has two bytes like its escape, so the content is never longer than its JSON text.
  output.reserve(end - start);
  const target = output.bytes;
  let out = output.length;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte === BACKSLASH) {
      at += 1;
      const content = escapedBytes[bytes[at] as number] as number;
      if (content === QUOTE) target[out++] = QUOTE;
      target[out++] = content;
    } else target[out++] = byte;
  }
  output.length = out;
}

function writeDecoded(output: BlockWriter, text: string): void {
  const quoted = /[",;\t|\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  output.write(Buffer.from(quoted, 'utf8'));
}

function writeJsonText(output: BlockWriter, bytes: Buffer, start: number, end: number): void {
  const nested = bytes[start] === 0x7b || bytes[start] === 0x5b;
  if (nested) writeDecoded(output, bytes.toString('utf8', start, end));
  else output.write(bytes, start, end);
}
