import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';
import { type Console, startConsole } from './open-console.ts';

/** The rows page on 100,000 rows of a kilobyte, by a real browser. Its figures hold on a machine that does little else. */
const cloud = testCloud();
const ROWS = 100_000;
const MINUTES = 10;
const LONGEST_PAUSE_MS = 50;
const PADDING = 'and so on '.repeat(90);

let opened: Console;
let key: string;
let dataset: string;

beforeAll(async () => {
  key = await createCloudAdmin(cloud).createKey('console-rows', '--credits', '10');
  const api = createApiClient(cloud.apiUrl, key);
  const lines = Array.from(
    { length: ROWS },
    (_, n) => `how does thing ${n} work,thing ${n} works ${PADDING}`,
  );
  dataset = await api.upload('rows.csv', `question,answer\n${lines.join('\n')}\n`);
  await api.untilRead(dataset);
  opened = await startConsole(cloud);
});
afterAll(async () => {
  await opened?.[Symbol.asyncDispose]();
});

async function openRows() {
  const { page, faults } = await opened.open(key);
  await page.addInitScript(() => {
    const pauses: number[] = [];
    Object.assign(window, { pauses });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) pauses.push(duration);
    }).observe({ type: 'longtask', buffered: true });
  });
  await page.goto(`${opened.url}/console#/datasets/${dataset}/rows`);
  await page.reload();
  const grid = page.getByRole('grid', { name: 'Rows' });
  await grid.getByText('how does thing 0 work').waitFor({ timeout: 300_000 });
  return { page, faults, grid };
}

test('a page, a filter and a search answer within two seconds', async () => {
  const api = createApiClient(cloud.apiUrl, key);
  await openRows();
  const seconds = new Map<string, number>();
  for (const query of ['offset=90000', 'search=THING%2099999%20', 'language=en', 'search=works']) {
    // The first answer of a function also starts it.
    for (let n = 0; n < 2; n += 1) {
      const started = performance.now();
      const { status } = await api.send('GET', `/api/v1/datasets/${dataset}/rows?${query}`);
      expect(status).toBe(200);
      seconds.set(query, (performance.now() - started) / 1000);
    }
  }
  console.log(Object.fromEntries(seconds));

  expect(Math.max(...seconds.values())).toBeLessThan(2);
});

test('100,000 rows are scrolled without a pause over 50 ms', async () => {
  const { page, grid, faults } = await openRows();
  expect(await grid.getAttribute('aria-rowcount')).toBe(String(ROWS + 1));
  await page.evaluate(() => (window as unknown as { pauses: number[] }).pauses.splice(0));

  await grid.hover();
  for (let n = 0; n < 200; n += 1) await page.mouse.wheel(0, 400);
  for (let n = 1; n <= 20; n += 1) {
    await grid.evaluate((element, share) => element.scrollTo(0, element.scrollHeight * share), n / 20);
    await page.waitForTimeout(300);
  }
  await grid.getByText(`how does thing ${ROWS - 1} work`).waitFor({ timeout: 10_000 });

  const pauses = await page.evaluate(() => (window as unknown as { pauses: number[] }).pauses);
  console.log(`Pauses over 50 ms: ${pauses.map(Math.round).join(', ') || 'none'}`);
  expect(Math.max(0, ...pauses)).toBeLessThanOrEqual(LONGEST_PAUSE_MS);
  expect(faults).toEqual([]);
});

test('memory does not grow over ten minutes of scrolling', async () => {
  const { page, grid } = await openRows();
  const session = await page.context().newCDPSession(page);
  const used = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  };
  const megabytes: number[] = [];
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const until = performance.now() + 60_000;
    while (performance.now() < until) {
      await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight * Math.random()));
      await page.waitForTimeout(500);
    }
    megabytes.push((await used()) / 1e6);
  }
  console.log(`Heap by minute in MB: ${megabytes.map((each) => each.toFixed(1)).join(', ')}`);

  expect(megabytes.at(-1)).toBeLessThan((megabytes[1] ?? 0) * 1.2);
});
