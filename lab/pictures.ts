import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createServiceClient, settled, trainingEnded, uploadFile } from '#bin/service-client.ts';
import { startBrowser } from '#local/browser.ts';
import { readLocalEnvironment } from '#local/env-file.ts';
import { repositoryRoot } from '#local/paths.ts';

/**
 * `npm run pictures`: takes the pictures of the console in the README and its page. It needs `npm run local`, whose model adapts one
 * sample and whose trainer trains on the other: what the pictures show was made so.
 */
const { ADAPTION_BASE_URL: url, ADAPTION_API_KEY: key } = readLocalEnvironment();
if (url === undefined || key === undefined) throw new Error('Start the local cloud first: npm run local');

const folder = join(repositoryRoot, 'docs', 'images');
const client = createServiceClient({ apiUrl: url, apiKey: key });

const sample = (name: string): string => join(repositoryRoot, 'examples', 'data', name);
const id = await uploadFile(client, sample('careless-answers.csv'));
console.log('Adapting the sample …');
await client.json('POST', `/datasets/${id}/adapt`, {
  column_mapping: { prompt: 'question', completion: 'answer', context: ['topic'] },
});
await settled(client, id, ['pending', 'running']);
console.log('Training on rows in one voice …');
const voice = await uploadFile(client, sample('lighthouse-answers.csv'), {
  processing_mode: 'raw',
  column_mapping: { prompt: 'prompt', completion: 'completion' },
});
const training = await client.json<{ id: string }>('POST', '/autoscientist', {
  dataset_id: voice,
  // As the demo has it: a minute on two cores.
  hyperparams: { n_epochs: 2, batch_size: 4, learning_rate: 0.003, lora_r: 8, lora_alpha: 16 },
  max_iterations: 1,
});
await trainingEnded(client, training.id, () => undefined);

mkdirSync(folder, { recursive: true });
const browser = await startBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 750 } });
  await page.goto(`${url}/console#key=${key}`);
  await page.getByRole('heading', { name: 'Datasets', level: 1 }).waitFor();
  await take(page, `#/datasets/${id}/rows`, 'rows', (each) =>
    each.getByRole('grid').getByText('changed').first(),
  );
  await take(page, `#/datasets/${id}/review`, 'review', (each) => each.getByRole('article'));
  await take(page, `#/datasets/${id}/evaluation`, 'evaluation', (each) =>
    each.getByRole('heading', { name: 'Grade', exact: true }),
  );
  await take(page, `#/trainings/${training.id}`, 'training', (each) =>
    each.getByRole('heading', { name: 'Iteration 1: curves' }),
  );
} finally {
  await browser.close();
}

async function take(
  page: Page,
  route: string,
  name: string,
  shown: (page: Page) => ReturnType<Page['getByText']>,
): Promise<void> {
  await page.goto(`${url}/console${route}`);
  await shown(page).waitFor({ timeout: 120_000 });
  // Charts are drawn in the frame after their data has come.
  await page.waitForTimeout(1000);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  console.log(`docs/images/${name}.png`);
}
