import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';
import { type Console, startConsole } from './open-console.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
let opened: Console;
let key: string;

beforeAll(async () => {
  opened = await startConsole(cloud);
  key = await admin.createKey('console-datasets', '--credits', '100');
});
afterAll(async () => {
  await opened?.[Symbol.asyncDispose]();
});

/** A page that is left when its test ends: each visible one holds a stream of events, and a browser opens six to an origin. */
const open: Console['open'] = async (...args) => {
  const page = await opened.open(...args);
  // The browser ends with its last context.
  onTestFinished(() => page.page.goto('about:blank').then(() => undefined));
  return page;
};

test('the link signs in at once, and the key leaves the address bar', async () => {
  const { page, faults } = await open(key);
  const started = performance.now();

  await page.getByRole('heading', { name: 'No datasets yet' }).waitFor();

  expect(page.url()).toBe(`${opened.url}/console#/`);
  expect(await page.evaluate(() => history.length)).toBeLessThan(3);
  expect(performance.now() - started).toBeLessThan(5000);
  expect(faults).toEqual([]);
});

test('the first page loads at most 350 KB of compressed scripts', async () => {
  const { page } = await open(null);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  const scripts: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.push(response.body());
  });
  await page.goto(`${opened.url}/console#key=${key}`);
  await page.reload();
  await page.getByRole('heading', { name: 'No datasets yet' }).waitFor();

  const bytes = (await Promise.all(scripts)).reduce((sum, script) => sum + gzipSync(script).length, 0);

  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(350_000);
});

test('an empty account is offered a sample, which becomes a dataset', async () => {
  const { page, faults } = await open(key);

  await page.getByRole('button', { name: 'Try a sample' }).click();

  await page.getByRole('heading', { name: 'Sample: careless answers' }).waitFor();
  await page.getByText('ready to adapt').waitFor({ timeout: 60_000 });
  expect(faults).toEqual([]);
});

test('files are uploaded to the bucket’s origin, and a dataset is deleted after a question', async () => {
  const { page, faults } = await open(key);
  await page.getByRole('link', { name: 'Add data' }).first().click();
  await page.getByLabel('Drop files here, or choose them').setInputFiles([
    { name: 'may.csv', mimeType: 'text/csv', buffer: Buffer.from('q,a\none,1\n') },
    { name: 'june.csv', mimeType: 'text/csv', buffer: Buffer.from('q,a\ntwo,2\nthree,3\n') },
  ]);
  await page.getByLabel('Name of the dataset').fill('Spring <b>2026</b>');
  await page.getByRole('button', { name: 'Upload 2 files' }).click();
  await page.getByRole('heading', { name: 'Spring <b>2026</b>' }).waitFor();
  await page.getByText('ready to adapt').waitFor({ timeout: 60_000 });
  await expect.poll(() => page.locator('dd').first().textContent(), { timeout: 30_000 }).toBe('3');

  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.textContent()).toContain('Spring <b>2026</b> is deleted');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Datasets', level: 1 }).waitFor();

  await page.getByRole('link', { name: 'Sample: careless answers' }).first().waitFor();
  await expect.poll(() => page.getByText('Spring <b>2026</b>').count(), { timeout: 30_000 }).toBe(0);
  expect(faults).toEqual([]);
});

test('a file that cannot be read says why, and in which line', async () => {
  const { page } = await open(key);
  await page.getByRole('link', { name: 'Add data' }).first().click();
  await page
    .getByLabel('Drop files here, or choose them')
    .setInputFiles([
      { name: 'broken.jsonl', mimeType: 'application/json', buffer: Buffer.from('{"a": 1}\n{"a": \n') },
    ]);
  await page.getByRole('button', { name: 'Upload 1 file' }).click();

  await page.getByRole('alert').waitFor({ timeout: 60_000 });

  expect(await page.getByRole('alert').textContent()).toMatch(/line 2/i);
});

test('a wrong key is refused at the sign-in, in the service’s words', async () => {
  const { page } = await open(null);

  await page.getByLabel('API key').fill('pt_live_nobody');
  await page.getByRole('button', { name: 'Sign in' }).click();

  await page.getByText('The API key is').waitFor();
  expect(await page.getByLabel('API key').getAttribute('aria-invalid')).toBe('true');
});

test('a key that is revoked ends the session and says so', async () => {
  const other = await admin.createKey('console-revoked', '--credits', '1');
  const { page } = await open(other);
  await page.getByRole('heading', { name: 'No datasets yet' }).waitFor();

  // What the gateway answers once its minute of memory is over.
  await page.route('**/api/v1/**', (route) =>
    route.fulfill({
      status: 401,
      contentType: 'application/json',
      body: JSON.stringify({
        statusCode: 401,
        code: 'unauthorized',
        message: 'The API key is unknown.',
        details: [],
        request_id: 'r',
        error: {},
      }),
    }),
  );
  await page.reload();

  await page.getByText('You were signed out. The API key is unknown.').waitFor();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

test('an outage is said, and the same page goes on when it is over', async () => {
  const { page } = await open(key);
  await page.getByRole('link', { name: 'Sample: careless answers' }).first().waitFor();
  await page.route('**/api/v1/**', (route) => route.abort());
  await page.reload();
  await page.getByText('The service does not answer.').first().waitFor({ timeout: 30_000 });

  await page.unroute('**/api/v1/**');
  await page.getByRole('button', { name: 'Try again' }).click();

  await page.getByRole('link', { name: 'Sample: careless answers' }).first().waitFor();
});

test('the console takes four answers of functions, and pages that are opened later none', async () => {
  const { page, faults } = await open(null);
  const files: string[] = [];
  page.on('request', (request) => {
    const [, file] = /(\/console.*)$/.exec(new URL(request.url()).pathname) ?? [];
    if (file !== undefined) files.push(file.replace(/-[\w-]{8}\./, '-HASH.'));
  });

  await page.goto(`${opened.url}/console#key=${key}`);
  await page.reload();
  for (const name of ['Training', 'Playground', 'Credits']) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, exact: true }).waitFor();
  }

  // Browsers ask for the icon by themselves, and headless ones for none.
  expect([...new Set(files)].filter((file) => !file.includes('icon')).sort()).toEqual([
    '/console',
    '/console/index-HASH.css',
    '/console/index-HASH.js',
  ]);
  expect(faults).toEqual([]);
});

test('a file of the console for which there was no place is asked for again', async () => {
  const { page, faults } = await open(null);
  await page.route(/\/console\/index-[^?]*(\?again=1)?$/, (route) =>
    route.fulfill({ status: 503, headers: { 'retry-after': '5' }, body: '{}' }),
  );

  await page.goto(`${opened.url}/console#key=${key}`);
  await page.reload();

  await page.getByRole('heading', { name: 'Datasets', exact: true }).waitFor();
  expect(faults).toEqual([]);
});

test('a console whose files never come says so', async () => {
  const { page } = await open(null);
  await page.clock.install();
  await page.route('**/console/index-*', (route) => route.abort());

  await page.goto(`${opened.url}/console`);
  await page.reload();

  const said = page.getByText('The console did not load');
  for (let n = 0; n < 8 && !(await said.isVisible()); n += 1) {
    await page.waitForTimeout(100);
    await page.clock.runFor(20_000);
  }
  await said.waitFor();
});

test('a slow network shows what is awaited', async () => {
  const { page } = await open(key);
  let arrive = (): void => undefined;
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/api/v1/datasets?*', async (route) => {
    await arrival;
    await route.continue();
  });
  await page.reload();

  await page.getByRole('status').getByText('Loading the datasets').waitFor();
  arrive();
  await page.getByRole('link', { name: 'Sample: careless answers' }).first().waitFor();
});
