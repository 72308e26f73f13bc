import { Parser } from 'htmlparser2';
import { putOwn } from '#shared/platform/own.ts';
import { fileUnreadable } from '../../decide/file-error.ts';

/** Maximum nesting of elements: real documents nest a few dozen, and the parser's time is quadratic in it. */
export const NESTING_MAX = 5000;

export const tooDeep = (): Error =>
  fileUnreadable(`Its elements are nested more than ${NESTING_MAX} deep. Simplify the document.`);

export interface MarkupHandler {
  /**
   * Called at the start of an element; names of elements and attributes have no namespace prefix. A prefixed attribute
   * is also present as `:name`.
   */
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * Reads a part of an Office document. Elements are matched by local name, because producers choose prefixes freely.
 * Only the predefined XML entities are expanded.
 * @throws {ServiceError} `file_unreadable` if the part ends before its elements do
 */
export async function readXml(source: AsyncIterable<Uint8Array>, handler: MarkupHandler): Promise<void> {
  let isEnding = false;
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > NESTING_MAX) throw tooDeep();
        const local: Record<string, string> = {};
        for (const [key, value] of Object.entries(attributes)) {
          const plain = localName(key);
          if (plain !== key) putOwn(local, `:${plain}`, value);
          if (plain === key || !Object.hasOwn(local, plain)) putOwn(local, plain, value);
        }
        handler.open(localName(name), local);
      },
      ontext: (text) => handler.text?.(text),
      onclosetag(name) {
        depth -= 1;
        if (isEnding) throw fileUnreadable('It is damaged. Save the document again and upload it.');
        handler.close?.(localName(name));
      },
    },
    { xmlMode: true },
  );
  for await (const text of decoded(source, 'utf-8')) parser.write(text);
  isEnding = true;
  parser.end();
}

/** Decodes bytes to text, in pieces that end between characters; a byte order mark overrides `encoding`. */
export async function* decoded(source: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const piece of source) {
    decoder ??= new TextDecoder(markedEncoding(piece) ?? encoding);
    yield decoder.decode(piece, { stream: true });
  }
  const rest = decoder?.decode() ?? '';
  if (rest !== '') yield rest;
}

function markedEncoding(head: Uint8Array): string | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 'utf-8' : null;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
