import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { DOCUMENT_COLUMNS } from '#shared/tabular/decide/documents/document-row.ts';
import { createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';
import { zip } from '#test/helpers/zip.ts';

const cloud = testCloud();
let api = createApiClient(cloud.apiUrl, '');

beforeAll(async () => {
  const admin = createCloudAdmin(cloud);
  await admin.run('plan', 'set', 'documents', '--requests-per-second', '1000', '--runs-at-once', '100');
  api = createApiClient(
    cloud.apiUrl,
    await admin.createKey('documents', '--plan', 'documents', '--credits', '100'),
  );
});

const sample = async (name: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await readFile(new URL(`../fixtures/documents/${name}`, import.meta.url)));
const bytes = (buffer: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(buffer);

/** The rows of a file that is uploaded as a dataset of its own. */
async function rowsOf(
  name: string,
  content: Uint8Array<ArrayBuffer>,
  warning: string | null = null,
): Promise<Record<string, unknown>[]> {
  const datasetId = await api.upload(name, content);
  expect((await api.untilRead(datasetId)).error_data?.code ?? null).toBe(warning);
  return api.rows(datasetId);
}

test.concurrent.each([
  ['handbook.docx', 4, { heading: 'Keeping the light > Before dusk', page: null, format: 'docx' }],
  ['handbook-tagged.pdf', 4, { heading: 'Keeping the light > Before dusk', page: 1, format: 'pdf' }],
  ['handbook.pdf', 4, { heading: 'Keeping the light > Before dusk', page: 1, format: 'pdf' }],
  ['page.pdf', 2, { heading: 'Birds of Gannet Rock > Counts', page: 2, format: 'pdf' }],
  ['slides.pptx', 2, { heading: 'Boats', slide: 2, format: 'pptx' }],
  ['stores.xlsx', 2, { heading: null, sheet: 'Visitors & guests', format: 'xlsx' }],
  ['page.html', 2, { heading: 'Birds of Gannet Rock > Counts', page: null, format: 'html' }],
  ['log.txt', 1, {}],
])('an uploaded document becomes rows of one schema: %s', async (name, count, second) => {
  // Its sheets have different names in their first rows.
  const warning = name === 'stores.xlsx' ? 'workbook_as_passages' : null;
  const rows = await rowsOf(name, await sample(name), warning);

  expect(rows).toHaveLength(count);
  for (const row of rows) {
    expect(Object.keys(row)).toEqual(DOCUMENT_COLUMNS.map((column) => column.name));
    expect(row.source_file).toBe(name);
  }
  if (count > 1) expect(rows[1]).toMatchObject(second);
});

test('a workbook whose sheets are one table is a table with its columns', async () => {
  const rows = await rowsOf('tides.xlsx', await sample('tides.xlsx'));

  expect(rows).toEqual([
    { Day: '2024-03-09', 'High water': '11:45:00', Metres: '4.1', 'Share of spring range': '82%' },
    { Day: '2024-03-10', 'High water': '12:31:00', Metres: '4.35', 'Share of spring range': '87%' },
  ]);
});

test('an archive of documents is one dataset, each row with its file', async () => {
  const archive = zip([
    { name: 'rock/handbook.docx', body: Buffer.from(await sample('handbook.docx')), method: 0 },
    { name: 'rock/log.txt', body: Buffer.from(await sample('log.txt')) },
  ]);

  const rows = await rowsOf('rock.zip', bytes(archive));

  expect(rows.map((row) => row.source_file)).toEqual([
    ...Array.from({ length: 4 }, () => 'rock/handbook.docx'),
    'rock/log.txt',
  ]);
});

describe('a document that cannot be read fails its dataset, which says of which file and why', () => {
  const zeros = Buffer.alloc(42_000_000);
  const text = { name: 'log.txt', body: 'Calm.' };
  const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(2000, 7)]);
  const nobody = async (): Promise<Uint8Array<ArrayBuffer>> => bytes(jpeg);
  const cases: [string, string, () => Promise<Uint8Array<ArrayBuffer>>, string, RegExp][] = [
    [
      'a bomb of 42 KB',
      'bomb.zip',
      async () => bytes(zip([{ name: 'zeros.txt', body: zeros }])),
      'file_unreadable',
      /^"zeros\.txt": .*inflates to far more than real data does/,
    ],
    [
      'an archive in an archive',
      'nested.zip',
      async () => bytes(zip([{ name: 'inner.zip', body: zip([text]) }])),
      'file_unreadable',
      /"inner\.zip" is an archive inside the archive/,
    ],
    [
      'an Office document whose header lies',
      'lies.docx',
      async () => bytes(zip([{ name: '_rels/.rels', body: zeros, claims: 100 }, text])),
      'file_unreadable',
      /^"lies\.docx": .*states 100 bytes/,
    ],
    [
      'a name that leads out of the archive',
      'climbs.zip',
      async () => bytes(zip([{ ...text, name: '../../log.txt' }])),
      'file_unreadable',
      /^"climbs\.zip": .*"\.\.\/\.\.\/log\.txt"/,
    ],
    [
      'a PDF with a password',
      'secret.pdf',
      () => sample('encrypted.pdf'),
      'file_unreadable',
      /^"secret\.pdf": .*encrypted/,
    ],
    [
      'a PDF that was cut off',
      'half.pdf',
      async () => (await sample('page.pdf')).slice(0, 12_000),
      'file_unreadable',
      /^"half\.pdf": .*truncated/,
    ],
    ['a picture called docx', 'photo.docx', nobody, 'file_unreadable', /^"photo\.docx": .*a JPEG image/],
    [
      'an HTML page of 50 MB',
      'large.html',
      async () => bytes(Buffer.from('<p>The sea was calm.</p>\n'.repeat(2_000_000))),
      'file_too_large',
      /^"large\.html": .*larger than 32 MiB/,
    ],
    [
      'nothing but blank lines',
      'blank.txt',
      async () => bytes(Buffer.from('\n\n')),
      'file_empty',
      /^"blank\.txt"/,
    ],
  ];

  test.concurrent.each(cases)(
    'a document that cannot be read fails its dataset, which says of which file and why: %s',
    async (_what, name, make, code, message) => {
      const datasetId = await api.upload(name, await make());

      const read = await api.untilRead(datasetId);

      expect(read).toMatchObject({ status: 'failed', row_count: null, error_data: { code, level: 'error' } });
      expect(read.error_data?.message).toMatch(message);
    },
  );
});

test('an adaptation makes an instruction of each passage, by the mapping that a request without one is told', async () => {
  const datasetId = await api.upload('handbook.docx', await sample('handbook.docx'));
  await api.untilRead(datasetId);
  const path = `/api/v1/datasets/${datasetId}/adapt`;
  const [said = ''] = /\{.*\}/.exec((await api.send('POST', path, {})).problem.message) ?? [];
  expect((await api.adapt(datasetId, { estimate: true })).estimatedCreditsConsumed).toBe(1);

  await api.adapt(datasetId, { column_mapping: JSON.parse(said) });

  expect((await api.untilEnded(datasetId)).status).toBe('succeeded');
  const rows = await api.rows(datasetId);
  expect(rows).toHaveLength(4);
  for (const row of rows) {
    expect(row.enhanced_prompt).toEqual(expect.stringMatching(/\S/));
    expect(row.enhanced_completion).toEqual(expect.stringMatching(/\S/));
    expect(row.source_file).toBe('handbook.docx');
  }
});
