import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { type ScriptedTrainer, startScriptedTrainer } from '#test/helpers/scripted-trainer.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';
import { type Console, type OpenedPage, startConsole } from './open-console.ts';
import { accessibilityFaults } from './sound-page.ts';

/** The main job of the console, page by page, by a real browser on the deployed stacks. Tests build on each other. */
const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const model = controlScriptedModel(cloud.modelUrl);
const ROWS = 60;
const ATTACKS = [
  '<script>window.attacked = 1</script>',
  '<img src=x onerror="window.attacked = 1">',
  '<svg onload="window.attacked = 1"><a xlink:href="javascript:window.attacked=1">go</a></svg>',
  '[a link](javascript:window.attacked=1) ![](https://elsewhere.example/pixel.png)',
  '=HYPERLINK("https://elsewhere.example","open")',
  'safe \u202Etxt.exe\u202C and \u200Bhidden',
];

let opened: Console;
let trainer: ScriptedTrainer;
let tab: OpenedPage;
let page: Page;
let dataset: string;

beforeAll(async () => {
  await model.setScript({ judge: 'fair' });
  trainer = startScriptedTrainer(cloud);
  opened = await startConsole(cloud);
  tab = await opened.open(await admin.createKey('console-journey', '--credits', '1000'));
  page = tab.page;
});
afterAll(async () => {
  await opened?.[Symbol.asyncDispose]();
  await trainer?.stop();
});

const link = (name: string) => page.getByRole('link', { name, exact: true }).first();

/** Holds the page to what every page has to keep. */
async function expectSound(): Promise<void> {
  expect(await accessibilityFaults(page)).toEqual([]);
  const { width } = page.viewportSize() ?? { width: 0 };
  await page.setViewportSize({ width: 360, height: 800 });
  // Charts take the new width in a frame of their own.
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth), { timeout: 10_000 })
    .toBeLessThanOrEqual(360);
  await page.setViewportSize({ width, height: 900 });
  expect(await page.evaluate(() => (window as unknown as { attacked?: number }).attacked)).toBeUndefined();
  expect(tab.faults).toEqual([]);
}

test('a file is uploaded and read', async () => {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const rows = Array.from({ length: ROWS }, (_, n) =>
    n < ATTACKS.length
      ? `${quoted(ATTACKS[n] ?? '')},${quoted(ATTACKS[n] ?? '')}`
      : `how do i fix item number ${n},go to shop`,
  );
  await link('Add data').click();
  await page.getByLabel('Drop files here, or choose them').setInputFiles([
    {
      name: 'questions.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`question,answer\n${rows.join('\n')}\n`),
    },
  ]);
  await expectSound();
  await page.getByRole('button', { name: 'Upload 1 file' }).click();

  await page.getByText('ready to adapt').waitFor({ timeout: 60_000 });

  dataset = /datasets\/([^/]+)/.exec(page.url())?.[1] ?? '';
  expect(dataset).not.toBe('');
  await expectSound();
});

test('columns are proposed, the price is named, and a double click launches once', async () => {
  await link('Adapt').click();
  const start = page.getByRole('button', { name: 'Start the adaptation' });
  await start.waitFor({ timeout: 60_000 });
  expect(await page.getByLabel('Use question as').inputValue()).toBe('prompt');
  expect(await page.getByLabel('Use answer as').inputValue()).toBe('completion');
  await page
    .getByText(/^\d+ credits?$/)
    .first()
    .waitFor({ timeout: 30_000 });
  await expectSound();

  await start.dblclick();

  await page.getByText('done', { exact: true }).first().waitFor({ timeout: 120_000 });
  const reservations = await page.evaluate(
    async ([url, id]) => {
      const key = sessionStorage.getItem('tunesmith.key');
      const response = await fetch(`${url}/api/v1/credits/ledger`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const { entries } = (await response.json()) as {
        entries: { type: string; dataset_id: string | null }[];
      };
      return entries.filter((entry) => entry.type === 'reserve' && entry.dataset_id === id).length;
    },
    [opened.url, dataset] as const,
  );
  expect(reservations).toBe(1);
});

test('a pilot compares arms and its winner is adapted', async () => {
  await link('Pilots').click();
  await page.getByRole('heading', { name: 'No pilots yet' }).waitFor({ timeout: 30_000 });
  await page.getByLabel('Compare my own arms').check();
  await page.getByRole('textbox', { name: 'Name' }).first().fill('Default <b>\u202Emra');
  await page.getByLabel('Rows that each arm adapts').fill('8');
  const start = page.getByRole('button', { name: 'Start the pilot' });
  await page
    .getByText(/^\d+ credits?$/)
    .first()
    .waitFor({ timeout: 30_000 });
  await expectSound();
  await start.dblclick();

  await page.getByRole('heading', { name: 'Recommendation' }).waitFor({ timeout: 120_000 });
  const table = page.getByRole('region', { name: 'Arms and how they compare with the originals' });
  expect(await table.getByRole('row').count()).toBe(3);
  await table.getByText('Default <b>').waitFor();
  await table.getByText('U+202E').waitFor();
  const rows = page.getByRole('region', { name: 'Rows', exact: true });
  await rows.getByRole('heading', { name: 'Original' }).first().waitFor({ timeout: 30_000 });
  expect(await rows.getByRole('article').count()).toBe(8);
  await expectSound();

  const adapt = page.getByRole('button', { name: /^Adapt / }).first();
  await adapt.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('taken over').waitFor({ timeout: 30_000 });
  await expectSound();
  await dialog.getByRole('button', { name: 'Start the adaptation' }).dblclick();

  await page.getByRole('heading', { name: 'Adaptation', exact: true }).waitFor({ timeout: 30_000 });
  await page.getByRole('heading', { name: 'Last adaptation' }).waitFor({ timeout: 120_000 });
  await link('Pilots').click();
  const pilots = page.getByRole('region', { name: 'Pilots of the dataset' });
  await pilots.waitFor({ timeout: 30_000 });
  expect(await pilots.getByRole('row').count()).toBe(2);
  await expectSound();
});

test('rows show what they are, whatever they hold, and a link leads to exactly one of them', async () => {
  await link('Rows').click();
  const grid = page.getByRole('grid', { name: 'Rows' });
  await grid.getByText('Go', { exact: false }).first().waitFor({ timeout: 60_000 });
  expect(await grid.getAttribute('aria-rowcount')).toBe(String(ROWS + 1));
  for (const attack of ATTACKS.slice(0, 3)) {
    expect(await grid.getByText(attack, { exact: false }).count()).toBeGreaterThan(0);
  }
  await expectSound();

  await grid.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await dialog.getByText('<img src=x onerror="window.attacked = 1">').first().waitFor({ timeout: 30_000 });
  await expectSound();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await page.goto(`${opened.url}/console#/datasets/${dataset}/rows?row=5`);
  await page.getByRole('dialog').waitFor({ timeout: 30_000 });
  await page.getByRole('dialog').getByText('U+202E').first().waitFor({ timeout: 30_000 });
  await page.keyboard.press('Escape');
});

test('a search finds rows by their text', async () => {
  await page.goto(`${opened.url}/console#/datasets/${dataset}/rows`);
  await page.getByLabel('Search in the text of the rows').fill('ITEM NUMBER 17');

  await expect
    .poll(() => page.getByRole('grid', { name: 'Rows' }).getAttribute('aria-rowcount'), { timeout: 30_000 })
    .toBe('2');
});

test('rows are reviewed by key, and what is said of them is recorded', async () => {
  await link('Review').click();
  const row = page.getByRole('article');
  await row.waitFor({ timeout: 60_000 });
  await expectSound();
  const first = await row.getAttribute('aria-label');
  await page.keyboard.press('r');
  await page.getByText('1 right, 0 wrong, 0 mended').waitFor({ timeout: 30_000 });
  expect(await row.getAttribute('aria-label')).not.toBe(first);

  await page.keyboard.press('u');
  await page.getByText('0 right, 0 wrong, 0 mended').waitFor({ timeout: 30_000 });
  expect(await row.getAttribute('aria-label')).toBe(first);
});

test('the evaluation shows the grade with its intervals', async () => {
  await link('Evaluation').click();
  await page.getByRole('heading', { name: 'Grade', exact: true }).waitFor({ timeout: 60_000 });

  expect(await page.locator('main').textContent()).toMatch(/95 %/);
  await expectSound();
});

test('a model is trained, and its curves, win rate and answers are shown', async () => {
  await link('Overview').click();
  await link('Train a model on it').click();
  await page.getByLabel('Iterations at most').fill('1');
  await expectSound();
  await page.getByRole('button', { name: 'Start the training' }).click();

  await page.getByRole('heading', { name: 'Win rate against the base model' }).waitFor({ timeout: 120_000 });
  await page.getByRole('heading', { name: 'Iteration 1: curves' }).waitFor({ timeout: 120_000 });
  await expectSound();
});

test('a comparison trains both sides, and shows what the adaptation made of the model', async () => {
  // A dataset has one training at a time.
  await page.getByText('done', { exact: true }).first().waitFor({ timeout: 120_000 });
  trainer.script({ does: 'complete', wins: 4 }, { does: 'complete', wins: 16 });
  await page.goto(`${opened.url}/console#/datasets/${dataset}/comparisons`);
  await page.getByRole('heading', { name: 'No comparisons yet' }).waitFor({ timeout: 30_000 });
  await page.getByText('2 trainings of').waitFor({ timeout: 30_000 });
  await expectSound();
  await page.getByRole('button', { name: 'Start the comparison' }).dblclick();

  await page.getByRole('rowheader', { name: 'Seed 1, adapted rows' }).waitFor({ timeout: 120_000 });
  await page.getByText('done', { exact: true }).first().waitFor({ timeout: 120_000 });
  const rates = page.getByRole('region', { name: 'Win rates of the three models' });
  expect(await rates.getByText(/^\d+ % \(\d+ to \d+ %\)$/).count()).toBe(3);
  await page.getByRole('heading', { name: 'Curves' }).waitFor();
  await page.getByRole('heading', { name: 'Answers to held-out prompts' }).waitFor();
  await expectSound();

  await link('Comparisons of the dataset').click();
  const list = page.getByRole('region', { name: 'Comparisons of the dataset' });
  await list.waitFor({ timeout: 30_000 });
  expect(await list.getByRole('row').count()).toBe(2);
  await expectSound();
});

test('the playground streams an answer and shows the request as code without the key', async () => {
  await link('Playground').click();
  await page.getByLabel('Prompt').fill('count 5');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();

  const answer = page.getByRole('article').first();
  await answer.getByText('word4').waitFor({ timeout: 60_000 });
  await answer.getByText('done', { exact: true }).waitFor();
  expect(await page.locator('main').textContent()).not.toContain('pt_live_');
  await expectSound();
});

test('credits show the balance and the movements', async () => {
  await link('Credits').click();
  await page.getByRole('heading', { name: 'Ledger' }).waitFor();

  await page.getByRole('region', { name: 'Movements of credits' }).getByRole('row').nth(2).waitFor();
  await expectSound();
});

test('a key of low scope is told what it may not see, and sees the rest', async () => {
  const low = await opened.open(await admin.createKey('console-journey-low', '--scopes', 'responses'));

  await low.page.getByText('This key may not read this page.').first().waitFor({ timeout: 30_000 });
  await low.page.getByRole('link', { name: 'Playground' }).click();
  await low.page.getByLabel('Prompt').waitFor();

  expect(low.faults).toEqual([]);

  const reader = await opened.open(await admin.createKey('console-journey', '--scopes', 'datasets:read'));
  await reader.page.goto(`${opened.url}/console#/datasets/${dataset}/pilots`);
  await reader.page.getByRole('region', { name: 'Pilots of the dataset' }).waitFor({ timeout: 30_000 });
  await reader.page.getByText('datasets:write').first().waitFor({ timeout: 30_000 });
  expect(await reader.page.getByRole('button', { name: 'Start the pilot' }).isDisabled()).toBe(true);
  expect(reader.faults).toEqual([]);
});

test('a key with the scope of the audit log sees what operators did, and no other key is shown the page', async () => {
  const operator = await opened.open(
    await admin.createKey('console-journey-audit', '--scopes', 'audit,datasets:read'),
  );
  const places = operator.page.getByRole('navigation', { name: 'Console' });
  await places.getByRole('link', { name: 'Audit log' }).click({ timeout: 30_000 });

  const log = operator.page.getByRole('region', { name: 'What operators changed' });
  const made = log.getByRole('row').filter({ hasText: 'console-journey-audit' });
  await made.getByText('key create').waitFor({ timeout: 30_000 });
  await made.getByText('done').waitFor();
  expect(await accessibilityFaults(operator.page)).toEqual([]);
  expect(operator.faults).toEqual([]);

  await link('Credits').click();
  await page.getByRole('heading', { name: 'Plan and limits' }).waitFor();
  expect(await link('Audit log').count()).toBe(0);
});

test('rows are appended as a version, which is listed, compared and adapted', async () => {
  await page.goto(`${opened.url}/console#/datasets/${dataset}/versions`);
  const table = page.getByRole('region', { name: 'Versions of the dataset' });
  await table.waitFor({ timeout: 30_000 });
  const earlier = await table.getByRole('row').count();
  expect(await table.getByText('current', { exact: true }).count()).toBe(1);
  const append = page.getByRole('button', { name: 'Append the rows' });
  await page.getByLabel('Rows as JSON').fill('{"question": "why", "solution": "because"}');
  await append.click();
  await page.getByText('rows[0].solution').waitFor({ timeout: 30_000 });
  await expectSound();

  await page.getByLabel('Rows as JSON').fill(JSON.stringify([{ question: 'why <b>', answer: 'because' }]));
  await append.dblclick();
  await page.getByText(/^1 row was appended: version \d+\.$/).waitFor({ timeout: 120_000 });

  await expect.poll(() => table.getByRole('row').count(), { timeout: 30_000 }).toBe(earlier + 1);
  await page.getByLabel('From version').selectOption('1');
  await page.getByText('0 rows changed, 1 added, 0 removed').waitFor({ timeout: 120_000 });
  await page
    .getByRole('article', { name: `Row ${ROWS}, added` })
    .getByText('why <b>')
    .waitFor();
  await expectSound();
  await page.getByRole('link', { name: 'Adapt the dataset' }).click();
  await page
    .getByText(new RegExp(`\\d+ of ${ROWS + 1} rows are unchanged and cost nothing`))
    .waitFor({ timeout: 60_000 });
});

test('a run that fails is told in words', async () => {
  await model.setScript({ faults: [{ kind: 'status', status: 401 }] });
  try {
    await page.goto(`${opened.url}/console#/datasets/${dataset}/adapt`);
    // Rows that are taken over ask no model.
    await page.getByLabel('Adapt all rows anew').check({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Start the adaptation' }).click({ timeout: 60_000 });
    await page.getByRole('alert').first().waitFor({ timeout: 150_000 });

    expect(await page.getByRole('alert').first().textContent()).toMatch(/model/i);
  } finally {
    await model.setScript({ judge: 'fair' });
  }
});
