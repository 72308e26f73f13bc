import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';
import type { Verdict } from '../../../console/src/review/contract.ts';
import { type Console, startConsole } from '../open-console.ts';
import { accessibilityFaults } from '../sound-page.ts';
import { DATASET, doubtfulRows, FakeReview, reviewRow } from './fake-review.ts';

/** The review page in a real browser, by keyboard alone. The service behind it is played, so that its answers can be lost. */
const ROWS = 60;
/** Ten minutes for 60 rows leave ten seconds for each; the page takes a small part of that. */
const VERDICT_MS_MAX = 5000;
/** What is done with one row after another. */
const DEEDS = ['right', 'wrong', 'edit', 'skip', 'undo', 'take', 'right'] as const;

const cloud = testCloud();
let opened: Console;
let key: string;

beforeAll(async () => {
  key = await createCloudAdmin(cloud).createKey('console-review');
  opened = await startConsole(cloud);
});
afterAll(async () => {
  await opened?.[Symbol.asyncDispose]();
});

/** Opens the review of played rows. */
async function openReview(fake: FakeReview, options: BrowserContextOptions = {}) {
  const { page, faults } = await opened.open(null, options);
  const line = { isLost: false };
  await page.route('**/api/v1/**', async (route) => {
    const request = route.request();
    if (line.isLost) return route.abort();
    const answer = fake.answer(request.method(), new URL(request.url()), request.postDataJSON());
    // The events of the team never begin.
    if (answer === null) return undefined;
    return route.fulfill({ status: answer.status, json: answer.body });
  });
  // The browser ends with its last context.
  onTestFinished(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto('about:blank');
  });
  await page.goto(`${opened.url}/console#key=${encodeURIComponent(key)}`);
  await page.reload();
  // The script of the page takes the key after it was loaded.
  await page.waitForURL(({ hash }) => !hash.startsWith('#key='));
  await page.goto(`${opened.url}/console#/datasets/${DATASET}/review`);
  await page.getByRole('article').waitFor();
  return { page, faults, line };
}

/** The row that is looked at; null after the last one. */
const shownRow = (page: Page): Promise<number | null> =>
  page.evaluate(() => {
    const name = document.querySelector('article')?.getAttribute('aria-label') ?? null;
    return name === null ? null : Number(name.replaceAll(/\D/g, ''));
  });

/** Waits until another row is looked at, or none. */
const untilMoved = (page: Page, from: number | null): Promise<unknown> =>
  page.waitForFunction(
    (before) => document.querySelector('article')?.getAttribute('aria-label') !== before,
    from === null ? null : `Row ${from}`,
    { polling: 10 },
  );

const hasFocus = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.activeElement !== null && document.activeElement !== document.body);

const recordedOf = (fake: FakeReview): Map<number, string> =>
  new Map([...fake.recorded].map(([row, { verdict, completion }]) => [row, completion ?? verdict]));

/** Goes through an offer of rows alike until all were in sight, and accepts them; returns how often A was pressed. */
async function acceptSeen(page: Page): Promise<number> {
  const dialog = page.getByRole('dialog');
  for (let pressed = 1; ; pressed += 1) {
    await page.keyboard.press('a');
    await page.waitForTimeout(100);
    if ((await dialog.count()) === 0) return pressed;
  }
}

/** Answers an offer of rows alike: the first by choosing one, the second as a whole, others not at all. */
async function answerOffer(page: Page, offers: number, said: Map<number, string>): Promise<void> {
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  const rows = await dialog
    .getByRole('listitem')
    .evaluateAll((items) => items.map((item) => Number(/Row (\d+)/.exec(item.textContent)?.[1])));
  expect(rows.length).toBeGreaterThan(0);
  if (offers === 0) {
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
  } else if (offers === 1) await acceptSeen(page);
  else await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  for (const row of offers === 0 ? rows.slice(1, 2) : offers === 1 ? rows : []) {
    said.set(row, `Label: delivery ${row}`);
  }
}

test('60 rows are reviewed by keyboard alone, each in a small part of ten seconds', async () => {
  const rows = doubtfulRows(ROWS);
  const fake = new FakeReview(rows);
  const { page, faults } = await openReview(fake);
  const said = new Map<number, string>();
  const times: number[] = [];
  const pressed = async (...keys: readonly string[]): Promise<void> => {
    for (const each of keys) await page.keyboard.press(each);
  };
  let offers = 0;
  let hasSkipped = false;
  for (let n = 0; said.size < ROWS; n += 1) {
    const row = await shownRow(page);
    if (row === null) {
      // Only the skipped ones are left: the way to them is the next stop of the focus.
      await page.getByRole('heading', { name: 'The end of the review' }).waitFor();
      hasSkipped = true;
      await pressed('Tab', 'Enter');
      await untilMoved(page, null);
      continue;
    }
    const proposal = fake.rows.get(row)?.proposal ?? null;
    const started = performance.now();
    const deed = proposal !== null && offers < 3 ? 'take' : DEEDS[n % DEEDS.length];
    if (deed === 'skip' && !hasSkipped) await pressed('s');
    else if (deed === 'take' && proposal !== null) {
      await pressed('t');
      said.set(row, proposal);
    } else if (deed === 'edit') {
      await pressed('e', 'ControlOrMeta+a');
      await page.keyboard.type(`Mended ${row}`);
      await pressed('Control+Enter');
      said.set(row, `Mended ${row}`);
    } else if (deed === 'undo') {
      await pressed('w');
      await untilMoved(page, row);
      await pressed('u');
      await page.getByRole('article', { name: `Row ${row}`, exact: true }).waitFor();
      await pressed('r');
      said.set(row, 'right');
    } else {
      await pressed(deed === 'wrong' ? 'w' : 'r');
      said.set(row, deed === 'wrong' ? 'wrong' : 'right');
    }
    await untilMoved(page, row);
    times.push(performance.now() - started);
    expect(await hasFocus(page)).toBe(true);
    if (proposal !== null && said.get(row) === proposal && offers < 3) {
      const offer = page.getByRole('button', { name: /^Look at (it|them)/ });
      await offer.waitFor();
      await answerOffer(page, offers, said);
      expect(await hasFocus(page)).toBe(true);
      offers += 1;
    }
  }

  await page.getByRole('heading', { name: 'Nothing left to look at' }).waitFor();
  await page.getByText('All saved.').first().waitFor();
  await expect.poll(() => recordedOf(fake)).toEqual(said);
  expect(offers).toBe(3);
  expect(hasSkipped).toBe(true);
  console.log(`Milliseconds by verdict: ${times.map(Math.round).join(', ')}`);
  expect(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]).toBeLessThan(VERDICT_MS_MAX / 5);
  expect(Math.max(...times)).toBeLessThan(VERDICT_MS_MAX);
  expect(await page.getByText('No row left worth a look').count()).toBe(1);
  expect(faults).toEqual([]);
}, 90_000);

test('of rows alike that do not fit on the page none is accepted before all were in sight', async () => {
  const fake = new FakeReview(doubtfulRows(ROWS));
  fake.alikeMax = 40;
  const { page, faults } = await openReview(fake);
  for (
    let row = await shownRow(page);
    fake.rows.get(row ?? 0)?.proposal == null;
    row = await shownRow(page)
  ) {
    await page.keyboard.press('s');
    await untilMoved(page, row);
  }
  await page.keyboard.press('t');
  await page.getByText('alike').first().waitFor();
  await page.keyboard.press('a');
  await page.getByRole('dialog').waitFor();
  const offered = await page.getByRole('dialog').getByRole('listitem').count();

  const pressed = await acceptSeen(page);

  expect(offered).toBeGreaterThan(15);
  expect(pressed).toBeGreaterThan(1);
  await expect.poll(() => fake.recorded.size).toBe(offered + 1);
  expect(faults).toEqual([]);
});

test('a row that changed since it was seen is told, and comes again as it is now', async () => {
  const fake = new FakeReview([reviewRow(4), reviewRow(5)]);
  const { page } = await openReview(fake);
  fake.changeRow(4, 'Item 4 goes to the depot.');

  await page.keyboard.press('r');
  await page.getByText('Row 4 has changed since you saw it.').waitFor();
  await page.keyboard.press('r');
  await page.getByText('Item 4 goes to the depot.').waitFor();
  await page.keyboard.press('w');

  await expect
    .poll(() => recordedOf(fake))
    .toEqual(
      new Map([
        [5, 'right'],
        [4, 'wrong'],
      ]),
    );
  for (const each of ['p', 'p', 'p']) await page.keyboard.press(each);
  await page.getByText('changed since you saw it', { exact: true }).waitFor();
  expect(await page.getByText('your verdict').count()).toBe(0);
});

test('verdicts are sent again in their order after a lost connection, and the reader goes on meanwhile', async () => {
  const fake = new FakeReview(doubtfulRows(30));
  const { page, line } = await openReview(fake);
  line.isLost = true;
  for (const each of ['r', 'w', 'u', 'r', 's', 'w']) await page.keyboard.press(each);
  await page.getByText('5 verdicts wait and are sent again.').waitFor();
  line.isLost = false;
  await page.getByRole('button', { name: 'Send now' }).click();

  await page.getByText('All saved.').first().waitFor();
  const sent = fake.posted.flat().map(({ row, verdict }: Verdict) => `${row} ${verdict}`);
  expect(sent).toEqual(['0 right', '7 wrong', '7 none', '7 right', '21 wrong']);
});

test('leaving with unsent verdicts asks, and the next page of the tab sends them', async () => {
  const fake = new FakeReview(doubtfulRows(30));
  const { page, line } = await openReview(fake);
  let asked = 0;
  page.on('dialog', (dialog) => {
    asked += 1;
    void dialog.accept();
  });
  line.isLost = true;
  await page.keyboard.press('r');
  await page.keyboard.press('w');
  await page.getByText('2 verdicts wait and are sent again.').waitFor();
  await page.evaluate(() => sessionStorage.getItem('tunesmith.key'));
  const left = page.reload();
  line.isLost = false;
  await left;

  await expect
    .poll(() => recordedOf(fake))
    .toEqual(
      new Map([
        [0, 'right'],
        [7, 'wrong'],
      ]),
    );
  await page.getByRole('article', { name: 'Row 14', exact: true }).waitFor();
  expect(asked).toBe(1);
  expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual(['tunesmith.key']);
});

test('a version is made of the verdicts by keyboard, and its run is followed', async () => {
  const fake = new FakeReview(doubtfulRows(30));
  const { page } = await openReview(fake);
  await page.keyboard.press('w');
  await page.getByText('0 right, 1 wrong, 0 mended').waitFor();
  await page.getByRole('button', { name: 'Make a version of these verdicts' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await dialog.getByRole('button', { name: 'Make the version' }).focus();
  await page.keyboard.press('Enter');

  await page.getByText('Version 3 is being made of the verdicts').waitFor();
  await page.getByText('Version 3 is made of the verdicts.').waitFor();
  expect(fake.applied).toMatchObject({ wrong: 'drop', idempotency_key: expect.any(String) });
});

test('the page is used by touch at 360 pixels, in light and dark, without sideways scrolling', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const fake = new FakeReview(doubtfulRows(30));
    const { page, faults } = await openReview(fake, {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
      colorScheme,
    });
    await page.getByRole('button', { name: /^Take it/ }).tap();
    await page.getByRole('article', { name: 'Row 7', exact: true }).waitFor();
    await page.getByRole('button', { name: /^Edit/ }).tap();
    await page.getByLabel('The right answer').fill('42 euros.');
    await page.getByRole('button', { name: 'Save', exact: true }).tap();
    await page.getByRole('article', { name: 'Row 14', exact: true }).waitFor();

    await expect
      .poll(() => recordedOf(fake))
      .toEqual(
        new Map([
          [0, 'Label: delivery 0'],
          [7, '42 euros.'],
        ]),
      );
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  }
});

test('the list of keys is opened by its key, and keys can be switched off', async () => {
  const fake = new FakeReview(doubtfulRows(30));
  const { page } = await openReview(fake);
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keys' });
  await dialog.waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await dialog.getByLabel('Use these keys').uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('r');
  await page.getByRole('button', { name: 'Wrong', exact: true }).focus();
  await page.keyboard.press('Enter');

  await expect.poll(() => recordedOf(fake)).toEqual(new Map([[0, 'wrong']]));
});
