import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type DownloadFilesPorts, downloadFiles } from '#shared/ingest/download-files.ts';
import type { DownloadProgress, ImportOrigin } from '#shared/ingest/schema/import.ts';
import { createGuardedFetch } from '#shared/platform/adapters/egress/guarded-fetch.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { createMemoryObjects, type MemoryObjects } from '#test/helpers/memory-objects.ts';
import { type ScriptedHub, startScriptedHub } from '#test/helpers/scripted-hub.ts';

const RUN = 'run-1';
const CSV = 'q,a\nWhy?,Because.\n';
/** Bytes that differ from place to place, so that a part in the wrong place is seen. */
const LONG = Array.from({ length: 700 }, (_, row) => `question ${row},answer ${row}\n`).join('');

let hub: ScriptedHub;
let objects: MemoryObjects;
let from: number;

beforeAll(async () => {
  hub = await startScriptedHub();
});
afterAll(() => hub.close());
beforeEach(() => {
  objects = createMemoryObjects();
  from = hub.requests.length;
});

const portsOf = (fields: Partial<DownloadFilesPorts> = {}): DownloadFilesPorts => ({
  objects,
  fetchUrl: createGuardedFetch({ allowed: hub.allowed }),
  findConnection: async () => null,
  settings: hub,
  importBytesMax: 100_000,
  partBytes: 5000,
  now: () => 0,
  ...fields,
});

const huggingFace = (revision = 'main'): ImportOrigin => ({
  provider: 'huggingface',
  repository: 'team/set',
  revision,
});
const kaggle: ImportOrigin = { provider: 'kaggle', owner: 'team', slug: 'set', version: null };
const sheet = (id: string, ...sheet_names: string[]): ImportOrigin => ({
  provider: 'google_sheets',
  spreadsheet_id: id,
  sheet_names,
});
const object = (path: string): ImportOrigin => ({ provider: 'object', url: `${hub.storeUrl}/${path}` });

const step = (
  origin: ImportOrigin,
  files: string[],
  progress: DownloadProgress | null = null,
  fields: Partial<DownloadFilesPorts> = {},
  first = 0,
) =>
  downloadFiles(portsOf(fields), {
    run_id: RUN,
    team_id: 'team-1',
    batch: { origin, first, files },
    progress,
    deadline: 600_000,
  });

/** Invokes until the end, as the state machine does; answers every answer. */
async function download(
  origin: ImportOrigin,
  files: string[] = [],
  fields: Partial<DownloadFilesPorts> = {},
) {
  const answers: Awaited<ReturnType<typeof step>>[] = [];
  let progress: DownloadProgress | null = null;
  do {
    const answer: Awaited<ReturnType<typeof step>> = await step(origin, files, progress, fields);
    answers.push(answer);
    progress = answer.progress;
  } while (answers.at(-1)?.status === 'unfinished');
  return answers;
}

const stored = (n: number): string => objects.text(objectKeys.imported(RUN, n));
const seen = () => hub.requests.slice(from);

test('Hugging Face answers files of a revision, through its redirect to another host', async () => {
  hub.put('hf:team/set@refs/convert/parquet/data/a.csv', { body: 'not this one' });
  hub.put('hf:team/set@v1.0/data/a b.csv', { body: CSV });
  hub.put('hf:team/set@v1.0/b.csv', { body: LONG });

  const answers = await download(huggingFace('v1.0'), ['data/a b.csv', 'b.csv']);

  expect(answers).toEqual([
    {
      status: 'finished',
      progress: { files: 2, bytes: CSV.length + LONG.length, failures: 0, part: null },
      wait_seconds: 0,
    },
  ]);
  expect([stored(0), stored(1)]).toEqual([CSV, LONG]);
  expect(seen().map(({ server, path }) => [server, path.split('?')[0]])).toContainEqual([
    'huggingface',
    '/datasets/team/set/resolve/v1.0/data/a%20b.csv',
  ]);
});

test('Hugging Face gives a gated file out to the token of the team, which no other host gets', async () => {
  hub.put('hf:team/set@main/gated.csv', { body: CSV, authorization: 'Bearer hf_team' });
  const asked: string[][] = [];

  await download(huggingFace(), ['gated.csv'], {
    findConnection: async (...args) => {
      asked.push(args);
      return 'hf_team';
    },
  });

  expect(stored(0)).toBe(CSV);
  expect(asked).toEqual([['team-1', 'huggingface']]);
  expect(
    seen()
      .filter(({ server }) => server === 'store')
      .map(({ authorization }) => authorization),
  ).toEqual([null]);
});

test('Hugging Face says that a token is missing where it asks for one', async () => {
  hub.put('hf:team/set@main/gated.csv', { body: CSV, authorization: 'Bearer hf_team' });

  await expect(download(huggingFace(), ['gated.csv'])).rejects.toMatchObject({
    code: 'source_denied',
    message: expect.stringMatching(/"gated\.csv".*401.*token/),
  });
  expect(objects.keys()).toEqual([]);
});

test('Hugging Face names a file that it does not have', async () => {
  await expect(download(huggingFace(), ['nothing.csv'])).rejects.toMatchObject({
    code: 'source_missing',
    message: expect.stringMatching(/"nothing\.csv".*404/),
  });
});

test('Kaggle answers files by their paths, to a user name with a key', async () => {
  const authorization = `Basic ${Buffer.from('ann:key').toString('base64')}`;
  hub.put('kaggle:team/set/deep/a&b.csv', { body: CSV, authorization });

  await download(kaggle, ['deep/a&b.csv'], { findConnection: async () => 'ann:key' });

  expect(stored(0)).toBe(CSV);
  expect(seen().at(-1)).toMatchObject({ server: 'store', authorization: null });
});

test('Kaggle is asked for the version that the url names', async () => {
  hub.put('kaggle:team/set/a.csv', { body: CSV });

  await download({ ...kaggle, version: 7 } as ImportOrigin, ['a.csv']);

  expect(seen()[0]?.path).toContain('dataset_version_number=7');
});

test('Google Sheets answers every tab, in its order', async () => {
  hub.put('sheet:many/Müller / <b> "x"', { body: 'a\n1\n' });
  hub.put('sheet:many/second', { body: 'a\n2\n' });

  await download(sheet('many'));

  expect([stored(0), stored(1)]).toEqual(['a\n1\n', 'a\n2\n']);
  expect(JSON.parse(objects.text(objectKeys.importedNames(RUN)))).toEqual(['Müller / <b> "x"', 'second']);
});

test('Google Sheets answers the tabs that are named, and no other', async () => {
  for (const tab of ['one', 'two', 'three']) hub.put(`sheet:some/${tab}`, { body: `a\n${tab}\n` });

  await download(sheet('some', 'three', 'two'));

  expect([stored(0), stored(1)]).toEqual(['a\ntwo\n', 'a\nthree\n']);
  expect(objects.keys()).toHaveLength(3);
});

test('Google Sheets answers the only tab of a spreadsheet, whose page has no menu', async () => {
  hub.put('sheet:single/Sheet1', { body: CSV });

  await download(sheet('single'));

  expect(stored(0)).toBe(CSV);
});

test('Google Sheets answers the only tab of a spreadsheet by whatever one name, since its page tells none', async () => {
  hub.put('sheet:single/Sheet1', { body: 'q,a\nWhy?,Because.\n' });

  await download(sheet('single', 'Totals', 'Totals'));

  expect(objects.text(objectKeys.importedNames(RUN))).toBe('["Totals"]');
  await expect(download(sheet('single', 'One', 'Two'))).rejects.toMatchObject({ code: 'source_missing' });
});

test('Google Sheets names the tabs that there are where one is missing', async () => {
  hub.put('sheet:named/one', { body: 'a\n' });
  hub.put('sheet:named/two', { body: 'a\n' });

  await expect(download(sheet('named', 'thre'))).rejects.toMatchObject({
    code: 'source_missing',
    message: 'The spreadsheet has no tab "thre"; it has "one", "two".',
  });
});

test('Google Sheets says how to share a spreadsheet that answers a sign-in page', async () => {
  await expect(download(sheet('private'))).rejects.toMatchObject({
    code: 'source_unusable',
    message: expect.stringMatching(/Share it by link/),
  });
});

test('an object is taken as it is', async () => {
  hub.put('store:bucket/rows.csv', { body: CSV });

  await download(object('bucket/rows.csv'));

  expect(stored(0)).toBe(CSV);
});

test.each([
  ['by its type', { body: 'sorry', contentType: 'text/html; charset=utf-8' }],
  ['by its look', { body: '\n<!DOCTYPE html><p>Sign in</p>' }],
])('an object that is a web page is refused, told %s', async (_how, file) => {
  hub.put('store:bucket/page.csv', file);

  await expect(download(object('bucket/page.csv'))).rejects.toMatchObject({
    code: 'source_unusable',
    message: expect.stringMatching(/"page\.csv".*web page instead of data/),
  });
  expect(objects.keys()).toEqual([]);
});

test('an object that is stored compressed is refused', async () => {
  hub.put('store:bucket/zipped.csv', { body: CSV, contentEncoding: 'gzip' });

  await expect(download(object('bucket/zipped.csv'))).rejects.toMatchObject({
    code: 'source_unusable',
    message: expect.stringMatching(/compressed \(gzip\)/),
  });
});

test('an object that leads inside is refused', async () => {
  const inside = `jump/${encodeURIComponent('https://169.254.169.254/latest/meta-data')}`;

  await expect(download(object(inside))).rejects.toMatchObject({ code: 'source_refused' });
});

test('an interruption costs nothing of what is stored: the file goes on where its last part ended', async () => {
  hub.put('store:b/cut.csv', { body: LONG, faults: [{ cutAfter: 12_000 }] });

  const answers = await download(object('b/cut.csv'));

  expect(answers.map(({ status }) => status)).toEqual(['unfinished', 'finished']);
  expect(seen().map(({ range }) => range)).toEqual([null, 'bytes=10000-']);
  expect(stored(0)).toBe(LONG);
});

test('an interruption of a server that answers files as a whole begins anew', async () => {
  hub.put('store:b/whole.csv', { body: LONG, faults: [{ cutAfter: 12_000 }], ignoresRanges: true });

  await download(object('b/whole.csv'));

  expect(stored(0)).toBe(LONG);
});

test('an interruption of a server that does not name versions begins anew, without asking for the rest', async () => {
  hub.put('store:b/nameless.csv', { body: LONG, faults: [{ cutAfter: 12_000 }], etag: null });

  await download(object('b/nameless.csv'));

  expect(seen().map(({ range }) => range)).toEqual([null, null]);
  expect(stored(0)).toBe(LONG);
});

test('an interruption after which the file is another one begins anew: no two versions are joined', async () => {
  hub.put('store:b/changed.csv', { body: LONG, faults: [{ cutAfter: 12_000 }] });
  const { progress } = await step(object('b/changed.csv'), []);
  const other = LONG.replaceAll('answer', 'ANSWER');
  hub.put('store:b/changed.csv', { body: other, etag: '"another"' });

  await step(object('b/changed.csv'), [], progress);

  expect(progress.part).not.toBeNull();
  expect(stored(0)).toBe(other);
});

test('an interruption after which the stored parts are gone begins anew', async () => {
  hub.put('store:b/gone.csv', { body: LONG, faults: [{ cutAfter: 12_000 }] });
  const { progress } = await step(object('b/gone.csv'), []);
  await objects.abandonParts('', progress.part?.upload_id ?? '');

  const lost = await step(object('b/gone.csv'), [], progress);
  await step(object('b/gone.csv'), [], lost.progress);

  expect(lost).toMatchObject({ status: 'unfinished', progress: { part: null, failures: 1 } });
  expect(stored(0)).toBe(LONG);
});

test('an interruption does not bring the files before it again', async () => {
  hub.put('hf:team/set@main/1.csv', { body: CSV });
  hub.put('hf:team/set@main/2.csv', { body: CSV, faults: [{ status: 503 }] });

  const answers = await download(huggingFace(), ['1.csv', '2.csv']);

  expect(answers[0]).toMatchObject({
    status: 'unfinished',
    progress: { files: 1, bytes: CSV.length, failures: 0 },
  });
  expect(seen().filter(({ path }) => path.endsWith('/1.csv'))).toHaveLength(1);
  expect(stored(1)).toBe(CSV);
});

test.each([
  ['seconds', '30', 30],
  [
    'a date',
    new Date(Date.now() + 20_000).toUTCString(),
    expect.toSatisfy((wait: number) => wait > 10 && wait <= 21),
  ],
  ['more than is waited', '86400', 900],
  ['nothing', undefined, 2],
])(
  'an interruption by 429 with %s in Retry-After says when to go on',
  async (_form, retryAfter, expected) => {
    hub.put('store:b/busy.csv', {
      body: CSV,
      faults: [{ status: 429, ...(retryAfter === undefined ? {} : { retryAfter }) }],
    });

    const answer = await step(object('b/busy.csv'), []);

    expect(answer).toMatchObject({ status: 'unfinished', wait_seconds: expected, progress: { failures: 1 } });
  },
);

test('an interruption that does not end is given up', async () => {
  hub.put('store:b/dead.csv', { body: CSV, faults: Array.from({ length: 20 }, () => ({ status: 503 })) });

  await expect(download(object('b/dead.csv'))).rejects.toMatchObject({
    code: 'source_unavailable',
    message: expect.stringMatching(/after 7 attempts: it answers 503/),
  });
  expect(seen()).toHaveLength(7);
});

test('an interruption by half a file, again and again, is given up: what there is of it is no dataset', async () => {
  hub.put('store:b/half.csv', { body: CSV, faults: Array.from({ length: 20 }, () => ({ cutAfter: 5 })) });

  await expect(download(object('b/half.csv'))).rejects.toMatchObject({ code: 'source_unavailable' });
  expect(objects.keys()).toEqual([]);
});

test('an interruption by the end of the invocation keeps what is stored', async () => {
  hub.put('store:b/slow.csv', { body: LONG });
  let now = 0;

  const answer = await step(object('b/slow.csv'), [], null, {
    now: () => {
      now += 300_000;
      return now;
    },
  });

  expect(answer).toMatchObject({ status: 'unfinished', wait_seconds: 0 });
  expect(objects.keys()).toEqual([]);
});

test('a limit on bytes holds for all files together', async () => {
  hub.put('hf:team/set@main/1.csv', { body: LONG });
  hub.put('hf:team/set@main/2.csv', { body: LONG });

  await expect(
    download(huggingFace(), ['1.csv', '2.csv'], { importBytesMax: LONG.length * 2 - 1 }),
  ).rejects.toMatchObject({
    code: 'file_too_large',
    message: expect.stringMatching(/"2\.csv"/),
  });
  await download(huggingFace(), ['1.csv', '2.csv'], { importBytesMax: LONG.length * 2 });
});

test('a limit counts what comes, also where the server does not say how much that will be', async () => {
  const endless = async function* () {
    for (;;) yield Buffer.alloc(1000, 'x');
  };
  const fetchUrl = async () => ({
    status: 200,
    headers: {},
    retryAfterSeconds: null,
    body: endless(),
    close: () => {},
  });

  await expect(download(object('b/endless.csv'), [], { fetchUrl })).rejects.toMatchObject({
    code: 'file_too_large',
  });
});
