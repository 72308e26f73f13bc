import { describe, expect, test } from 'vitest';
import type { TunesmithClient } from '../../../clients/typescript/src/index.ts';
import { AppendState } from '../../../console/src/versions/append.tsx';
import { Comparison, readDiff } from '../../../console/src/versions/comparison.tsx';
import type { VersionDiff } from '../../../console/src/versions/contract.ts';
import { VersionsOf } from '../../../console/src/versions/versions.tsx';
import { type Answers, clientOf, refusal, renderAnswered } from '../render.ts';
import { CHANGED, DATASET, diff, HISTORY, side, version } from './version-examples.ts';

const PROPS = {
  dataset: { dataset_id: DATASET },
  status: { status: 'succeeded', row_count: 1200 },
  asked: { from: null, to: null, kind: null },
  appendId: null,
  onCompare: () => undefined,
  onAppend: () => undefined,
} as const;
const listed = (versions: readonly object[], next_before: number | null = null) => ({
  body: { versions, next_before },
});
const page = (versions: ReturnType<typeof listed>, asked: object = PROPS.asked, of: object = {}) =>
  renderAnswered(VersionsOf, { ...PROPS, ...of, asked: { ...PROPS.asked, ...asked } }, (request) =>
    request.includes('/versions') ? versions : request.includes('/diff') ? { body: diff() } : undefined,
  );

test('the versions page says that the versions are loaded', async () => {
  const { text } = await renderAnswered(VersionsOf, PROPS, () => undefined);

  expect(text).toContain('Loading the versions …');
  expect(text).not.toContain('Differences');
});

test('the versions page says where the first version comes from while there is none', async () => {
  const { text } = await page(listed([]), {}, { status: { status: 'pending', row_count: null } });

  expect(text).toContain('No versions yet');
  expect(text).toContain('Rows can be appended once the dataset has some.');
});

test('the versions page says an error of the service as it is', async () => {
  const { text } = await renderAnswered(VersionsOf, PROPS, () =>
    refusal(404, 'dataset_not_found', 'There is no dataset with this id.'),
  );

  expect(text).toContain('There is no dataset with this id.');
  expect(text).toContain('Request id r-1');
});

test('the versions page lists what made each version, of what, its rows, models and state, and which one is current', async () => {
  const { text, requests } = await page(listed(HISTORY, 1));

  expect(text).toMatch(/2 adaptation 1 1,200 done current .* answer: model-a; judge: model-b Rows Download/);
  expect(text).toMatch(/3 append 1 1,210 not adapted /);
  expect(text).toMatch(/ 1 upload – 1,200 not adapted /);
  expect(text.match(/ current /g)?.length).toBe(1);
  expect(text).toContain('Show more');
  expect(requests).toContain(`GET /api/v1/datasets/${DATASET}/versions?limit=20`);
});

test('the versions page links to the rows of a version, and offers to delete adaptations alone', async () => {
  const { html } = await page(listed(HISTORY));

  expect(html).toContain(`href="#/datasets/${DATASET}/rows?version=2"`);
  expect(html.match(/aria-label="Delete version \d"/g)).toEqual(['aria-label="Delete version 2"']);
  expect(html.match(/aria-label="Download version \d"/g)?.length).toBe(3);
});

test('the versions page shows a deleted version without anything to do', async () => {
  const { html, text } = await page(listed([version(2, { status: 'deleted' }), ...HISTORY.slice(3)]));

  expect(text).toContain('2 adaptation 1 1,200 deleted');
  expect(html).not.toContain('Delete version 2');
  expect(html).not.toContain('rows?version=2');
  expect(text).toContain('Versions can be compared once there are two with rows.');
});

test('the versions page names a pilot whose arm was adapted', async () => {
  const { html } = await page(listed([version(2, { pilot_id: 'p-9' }), ...HISTORY.slice(3)]));

  expect(html).toContain(`href="#/datasets/${DATASET}/pilots/p-9"`);
});

test('the choice of two versions begins with the newest two', async () => {
  const { requests } = await page(listed(HISTORY));

  expect(requests).toContain(`GET /api/v1/datasets/${DATASET}/diff?from=2&to=3&limit=20`);
});

test('the choice of two versions asks nothing of a version and itself', async () => {
  const { text, requests } = await page(listed(HISTORY), { from: 2, to: 2 });

  expect(text).toContain('This is the same version twice.');
  expect(requests.some((request) => request.includes('/diff'))).toBe(false);
});

test('the choice of two versions asks nothing of a version that was deleted, and says so', async () => {
  const versions = listed([version(3), version(2, { status: 'deleted' }), ...HISTORY.slice(3)]);
  const { text, requests } = await page(versions, { from: 2, to: 3 });

  expect(text).toContain('Version 2 was deleted');
  expect(requests.some((request) => request.includes('/diff'))).toBe(false);
});

describe('the differences', () => {
  const compared = (answers: Answers, kind: 'added' | null = null) =>
    renderAnswered(Comparison, { datasetId: DATASET, from: 1, to: 3, kind }, answers);
  const ready = (changes: Partial<VersionDiff> = {}) => ({ body: diff(changes) });

  test('the differences are awaited with a sentence while the service compares', async () => {
    const pending: Partial<VersionDiff> = { status: 'pending', counts: null, rows: [], columns: [] };
    const { html, text } = await compared(() => ({
      status: 202,
      headers: { 'retry-after': '5' },
      ...ready(pending),
    }));

    expect(text).toContain('The service compares version 1 with version 3.');
    expect(html).toContain('<progress');
  });

  test('the differences are counted, and the words that changed are marked', async () => {
    const { html, text } = await compared(() => ready());

    expect(text).toContain('1 row changed, 0 added, 0 removed, 1,199 unchanged.');
    expect(html).toMatch(/<ins>white ?<\/ins>/);
    expect(html).toContain(`href="#/datasets/${DATASET}/rows?version=1&amp;row=7"`);
  });

  test('the differences show the texts of rows as text', async () => {
    const markup = '<img src=x onerror=alert(1)>';
    const { html } = await compared(() =>
      ready({
        rows: [{ kind: 'added', row: 8, target: null, before: null, after: side({ answer: markup }) }],
      }),
    );

    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img');
  });

  test('the differences tell rows in other languages apart, and link to none of them', async () => {
    const target = { language: 'de', country: null };
    const { html, text } = await compared(() => ready({ rows: [CHANGED, { ...CHANGED, target }] }));

    expect(text).toContain('Row 7 in German changed');
    expect(html.match(/row=7/g)?.length).toBe(2);
  });

  test('the differences are narrowed to a kind, of which there may be none', async () => {
    const { text, requests } = await compared(() => ready({ rows: [] }), 'added');

    expect(requests).toEqual([`GET /api/v1/datasets/${DATASET}/diff?from=1&to=3&limit=20&kind=added`]);
    expect(text).toContain('No row is added.');
  });

  test('the differences have more where the service has', async () => {
    expect((await compared(() => ready({ next_after: 'changed:7' }))).text).toContain('Show more');
    expect((await compared(() => ready())).text).not.toContain('Show more');
  });

  test('the differences are asked for page by page, and again when the service says so', async () => {
    const requests: string[] = [];
    const client = clientOf(() => ({ headers: { 'retry-after': '5' }, ...ready() }), requests);
    const ask = (from: TunesmithClient) =>
      readDiff(from, DATASET, { from: 1, to: 3, kind: null }, 'changed:7', new AbortController().signal);

    expect((await ask(client)).pauseSeconds).toBe(5);
    expect((await ask(clientOf(() => ready()))).pauseSeconds).toBe(2);
    expect(requests).toEqual([`GET /api/v1/datasets/${DATASET}/diff?from=1&to=3&limit=20&after=changed%3A7`]);
  });

  test('the differences that the service refuses are told in its words', async () => {
    const { text } = await compared(() => refusal(404, 'version_not_found', 'There is no version 9.'));

    expect(text).toContain('There is no version 9.');
  });
});

describe('an append', () => {
  const append = (changes: object) => ({
    body: {
      append_id: 'a-1',
      dataset_id: DATASET,
      status: 'pending',
      appended_rows: 2,
      version: null,
      upload_instructions: null,
      error_data: null,
      created_at: '2026-11-20T10:00:00.000Z',
      ended_at: null,
      ...changes,
    },
  });
  const state = (answer: ReturnType<Answers>, status: 'running' | 'awaiting_input' = 'awaiting_input') =>
    renderAnswered(AppendState, { datasetId: DATASET, appendId: 'a-1', status: { status } }, () => answer);

  test('an append waits for the active run', async () => {
    expect((await state(append({}), 'running')).text).toContain('2 rows wait for the active run');
    expect((await state(append({ appended_rows: null }))).text).toContain('The rows are being added …');
    expect((await state(undefined)).text).toContain('Loading the append …');
  });

  test('an append that landed names its version, with the way to adapt it', async () => {
    const { html, text } = await state(append({ status: 'succeeded', version: 5, appended_rows: 1 }));

    expect(text).toContain('1 row was appended: version 5.');
    expect(html).toContain(`href="#/datasets/${DATASET}/adapt"`);
    expect(html).toContain(`href="#/datasets/${DATASET}/rows?version=5"`);
  });

  test('an append that failed says why, and that nothing was appended', async () => {
    const message = 'Row 3, column "answer": the value is number, and the column is VARCHAR.';
    const { text } = await state(
      append({ status: 'failed', error_data: { code: 'schema_mismatch', level: 'error', message } }),
    );

    expect(text).toContain(`Nothing was appended. ${message}`);
  });

  test('an append that is unknown is told in the words of the service', async () => {
    const { text } = await state(refusal(404, 'append_not_found', 'The dataset has no append with this id.'));

    expect(text).toContain('The dataset has no append with this id.');
  });
});
