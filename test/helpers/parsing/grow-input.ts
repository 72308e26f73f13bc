import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync, gzipSync, inflateRawSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { GIF, JPEG_HEAD, PNG, WEBP } from '../images.ts';
import { zip } from '../zip.ts';
import type { Parsed } from './parse-bytes.ts';

/** The largest input. */
const BYTES_MAX = 1024 * 1024;

const sample = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../../fixtures/documents/${name}`, import.meta.url)));

const CSV = 'question,answer,"a, b"\nWhat?,That.,"x ""y"" z"\n1,2,3\n"multi\nline",b,\n';
const ROW =
  '{"prompt":"a","messages":[{"role":"user","content":"é\\u00e9"}],"n":1.5e3,"flag":true,"none":null}';

/** Parts of a format that its reader looks at again and again where they repeat. */
const TOKENS: readonly string[] = [
  ...',;\t|"\n\r\\[]{}:<>/()=&#`*',
  '""',
  '\r\n',
  '{"a":',
  '[[',
  '"a":1,',
  '\\u0000',
  '<div>',
  '<!--',
  '<w:p>',
  '<row><c r="XFD1048576"><v>1</v></c></row>',
  '&amp;',
  '<<',
  '1 0 obj\n',
  'PK\x03\x04',
  '\xff',
  '\x00',
  '1e9',
  '-',
  ' ',
  'a,',
];

/** What is changed, and the file that is made of it. */
export interface Seed {
  readonly bytes: Buffer;
  readonly wrap: (bytes: Buffer) => Buffer;
}

export type Seeds = Readonly<Record<Parsed, readonly Seed[]>>;

/** Files of each kind, small and sound, and what stands inside of archives and compressed pages. */
export async function seeds(): Promise<Seeds> {
  const files = Object.entries(await wholeFiles()).map(([kind, all]): [string, Seed[]] => [
    kind,
    all.map((bytes) => ({ bytes, wrap: (changed) => changed })),
  ]);
  const whole = Object.fromEntries(files) as unknown as Seeds;
  return {
    ...whole,
    csv: [
      ...whole.csv,
      // Many columns, of which most rows have the first only.
      { bytes: Buffer.from('1\n'), wrap: (row) => filled(`${columnNames(5000)}\n`, row, '') },
      { bytes: Buffer.from('1,2,3\n'), wrap: (row) => filled('a,b,c\n', row, '') },
    ],
    json: [
      ...whole.json,
      { bytes: Buffer.from(`${ROW},`), wrap: (row) => filled('[', row, '{}]') },
      {
        bytes: Buffer.from('{"a":[1,{"b":"c"}]}'),
        wrap: (value) => filled('[{"a":[', Buffer.concat([value, COMMA]), '0]}]'),
      },
    ],
    jsonl: [
      ...whole.jsonl,
      { bytes: Buffer.from(`${ROW}\n`), wrap: (row) => filled('', row, '') },
      {
        bytes: Buffer.from('{"c1":1}\n'),
        wrap: (row) =>
          Buffer.concat([
            Buffer.from(`{"${columnNames(9000).replaceAll(',', '":1,"')}":1}\n`),
            filled('', row, ''),
          ]),
      },
    ],
    docx: [...whole.docx, ...members('handbook.docx')],
    pptx: [...whole.pptx, ...members('slides.pptx')],
    xlsx: [...whole.xlsx, ...members('stores.xlsx')],
    zip: [...whole.zip, { bytes: sample('page.html'), wrap: (body) => zip([{ name: 'page.html', body }]) }],
    pdf: [...whole.pdf, { bytes: Buffer.from('BT /F 9 Tf 1 0 0 1 5 5 Tm (text) Tj ET q Q '), wrap: pdfOf }],
  };
}

const COMMA = Buffer.from(',');

const columnNames = (count: number): string => Array.from({ length: count }, (_, n) => `c${n}`).join();

/** A file of the largest size that repeats a part between two others. */
function filled(head: string, part: Buffer, tail: string): Buffer {
  const count = Math.floor((BYTES_MAX - head.length - tail.length) / Math.max(1, part.length));
  return Buffer.concat([
    Buffer.from(head),
    ...(part.length === 0 ? [] : [Buffer.alloc(Math.max(0, count) * part.length, part)]),
    Buffer.from(tail),
  ]);
}

/** The members of an Office file that hold its content, each to be changed in its place. */
function members(name: string): Seed[] {
  const all = unzip(sample(name));
  return all
    .filter((member) =>
      /document\.xml$|slide1\.xml$|sheet1\.xml$|sharedStrings\.xml$|styles\.xml$|\.rels$/.test(member.name),
    )
    .map(({ name: changed, body }) => ({
      bytes: body,
      wrap: (bytes) =>
        zip(all.map((member) => (member.name === changed ? { ...member, body: bytes } : member))),
    }));
}

/** The members of an archive that a program wrote, by its directory. */
function unzip(archive: Buffer): { name: string; body: Buffer }[] {
  const found: { name: string; body: Buffer }[] = [];
  let at = archive.readUInt32LE(archive.lastIndexOf('PK\x05\x06', undefined, 'latin1') + 16);
  while (archive.readUInt32LE(at) === 0x02014b50) {
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((offset) =>
      archive.readUInt16LE(at + offset),
    ) as [number, number, number];
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const data = archive.subarray(start, start + archive.readUInt32LE(at + 20));
    if (!name.endsWith('/'))
      found.push({ name, body: archive.readUInt16LE(at + 10) === 0 ? data : inflateRawSync(data) });
    at += 46 + nameLength + extraLength + noteLength;
  }
  return found;
}

async function wholeFiles(): Promise<Readonly<Record<Parsed, readonly Buffer[]>>> {
  return {
    csv: [
      ...texts(CSV, CSV.replaceAll(',', ';'), CSV.replaceAll(',', '\t'), `${'c,'.repeat(5000)}\n`),
      longInside(),
    ],
    json: texts(`[${ROW},${ROW}]`, `{"data":[${ROW}]}`, ROW),
    jsonl: texts(`${ROW}\n${ROW}\n`, `${ROW}\r\n\r\n`),
    parquet: await parquetFiles(),
    txt: [sample('log.txt'), ...texts('# Title\n\nText of it.\n\n- one\n- two\n')],
    html: [sample('page.html'), ...texts('<meta charset=utf-8><table><tr><td>a<td>b</table><p>text')],
    pdf: ['report.pdf', 'handbook.pdf', 'page-linear.pdf', 'encrypted.pdf'].map(sample),
    docx: ['handbook.docx', 'boathouse.docx'].map(sample),
    pptx: ['slides-python.pptx', 'slides.pptx'].map(sample),
    xlsx: ['stores.xlsx', 'tides.xlsx'].map(sample),
    zip: [
      zip([
        { name: 'a/log.txt', body: 'Calm.' },
        { name: 'page.html', body: '<p>Text' },
      ]),
      zip([{ name: 'inner.zip', body: zip([{ name: 'notes.txt', body: 'x'.repeat(5000) }]) }]),
    ],
    download: [zip([{ name: 'rows.csv', body: CSV }]), zip([{ name: 'rows.csv', body: CSV, method: 0 }])],
    image: [PNG, GIF, JPEG_HEAD, WEBP].map((text) => Buffer.from(text, 'base64')),
    link: texts(
      'https://huggingface.co/datasets/owner/name/tree/main',
      'https://bucket.s3.eu-west-1.amazonaws.com/a/rows.csv',
      'https://s3-a-b-c-d-e-f-g-h.amazonaws.com/rows.csv',
      'https://docs.google.com/spreadsheets/d/abc/edit',
    ),
    tabs: texts('items.push({name: "One", pageUrl: "https:\\/\\/x", gid: "0",initialSheet: true});'),
  };
}

const texts = (...all: readonly string[]): Buffer[] => all.map((text) => Buffer.from(text));

/** A compressed file that is 150 MB long inside, which is less than the ratio at which it would be refused. */
function longInside(): Buffer {
  const inside = Buffer.alloc(150_000_000, 'a');
  for (let at = 0; at < inside.length; at += 18_000) {
    inside.write(createHash('sha512').update(String(at)).digest('hex'), at);
  }
  return gzipSync(inside);
}

/** Plain, compressed, nested, and few bytes for many rows. */
async function parquetFiles(): Promise<Buffer[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const queries = [
    `SELECT 'text ' || i AS t, i AS n FROM range(100) r(i)`,
    `SELECT [i, i] AS l, {'a': i, 'b': ['x']} AS s, i::DECIMAL(9, 2) AS d FROM range(50) r(i)`,
    `SELECT repeat('x', 1000) AS t FROM range(100_000)`,
    `SELECT 1 AS t FROM range(20_000_000)`,
  ];
  const files: Buffer[] = [];
  for (const [n, sql] of queries.entries()) {
    for (const codec of n < 2 ? ['uncompressed', 'zstd', 'snappy'] : ['zstd']) {
      const path = join(tmpdir(), `seed-${process.pid}-${n}-${codec}.parquet`);
      await connection.run(
        `COPY (${sql}) TO '${path}' (FORMAT parquet, COMPRESSION ${codec}, ROW_GROUP_SIZE 1_000_000)`,
      );
      files.push(await readFile(path));
      await rm(path);
    }
  }
  connection.closeSync();
  instance.closeSync();
  return files;
}

/** A PDF whose only page draws what is given. */
function pdfOf(drawn: Buffer): Buffer {
  const content = deflateSync(drawn);
  return Buffer.concat([
    Buffer.from(
      '%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n' +
        '3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<<>>>>\nendobj\n' +
        `4 0 obj\n<</Length ${content.length}/Filter/FlateDecode>>\nstream\n`,
    ),
    content,
    Buffer.from('\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n'),
  ]);
}

type Change = (bytes: Buffer) => Buffer;

/** A place in a file, whatever its size. */
const place = fc.double({ min: 0, max: 1, noNaN: true });
const at = (bytes: Buffer, share: number): number => Math.floor(share * bytes.length);
const times = fc.oneof(fc.integer({ min: 2, max: 50 }), fc.constantFrom(1_000, 30_000, BYTES_MAX));

function repeated(bytes: Buffer, from: number, to: number, count: number): Buffer {
  const part = bytes.subarray(from, to);
  const room = BYTES_MAX - bytes.length;
  const copies = Math.min(count, Math.floor(room / Math.max(1, part.length)));
  const filled = copies <= 0 ? [] : [Buffer.alloc(copies * part.length, part)];
  return Buffer.concat([bytes.subarray(0, to), ...filled, bytes.subarray(to)]);
}

const change: fc.Arbitrary<Change> = fc.oneof(
  place.map(
    (end): Change =>
      (bytes) =>
        bytes.subarray(0, at(bytes, end)),
  ),
  fc.tuple(place, fc.integer({ min: 1, max: 3000 }), times).map(
    ([start, length, count]): Change =>
      (bytes) => {
        const from = at(bytes, start);
        return repeated(bytes, from, Math.min(bytes.length, from + length), count);
      },
  ),
  fc.tuple(place, fc.constantFrom(...TOKENS), times).map(
    ([where, token, count]): Change =>
      (bytes) => {
        const part = Buffer.from(token, 'latin1');
        const from = at(bytes, where);
        const all = Buffer.concat([bytes.subarray(0, from), part, bytes.subarray(from)]);
        return repeated(all, from, from + part.length, count);
      },
  ),
  fc.array(fc.tuple(place, fc.integer({ min: 0, max: 7 })), { minLength: 1, maxLength: 8 }).map(
    (flips): Change =>
      (bytes) => {
        const copy = Buffer.from(bytes);
        for (const [where, bit] of flips)
          if (copy.length > 0) (copy[at(copy, where * 0.9999)] as number) ^= 1 << bit;
        return copy;
      },
  ),
  fc.tuple(place, fc.constantFrom(0, 0x7f, 0x80, 0xff), fc.constantFrom(1, 4, 64, 100_000)).map(
    ([where, byte, length]): Change =>
      (bytes) =>
        Buffer.from(bytes).fill(byte, at(bytes, where), Math.min(bytes.length, at(bytes, where) + length)),
  ),
);

/** An input of a kind: one of its seeds, changed up to three times. */
export function grownInputs(all: Seeds): fc.Arbitrary<{ readonly kind: Parsed; readonly bytes: Buffer }> {
  return fc.constantFrom(...(Object.keys(all) as Parsed[])).chain((kind) =>
    fc
      .record({ seed: fc.constantFrom(...all[kind]), changes: fc.array(change, { maxLength: 3 }) })
      .map(({ seed, changes }) => ({
        [fc.toStringMethod]: () => kind,
        kind,
        bytes: seed.wrap(changes.reduce((bytes, step) => step(bytes), seed.bytes)).subarray(0, BYTES_MAX),
      })),
  );
}
