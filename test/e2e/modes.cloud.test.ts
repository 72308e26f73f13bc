import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunQuote } from '#shared/adaptation/schema/adaptation.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunReport } from '#shared/runs/schema/report.ts';
import { type ApiClient, createApiClient, type Progressed } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { GIF, PNG } from '#test/helpers/images.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { requireSoundLedger } from '#test/helpers/sound-end.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const model = controlScriptedModel(cloud.modelUrl);
const s3 = new S3Client({ endpoint: cloud.endpoint, region: 'us-east-1', forcePathStyle: true });
const TEAM = 'modes';
let api: ApiClient;

beforeAll(async () => {
  await admin.run('plan', 'set', 'modes', '--requests-per-second', '1000', '--runs-at-once', '100');
  api = createApiClient(cloud.apiUrl, await admin.createKey(TEAM, '--plan', 'modes', '--credits', '1000'));
  await model.setScript({ judge: 'fair' });
});
afterAll(() => s3.destroy());

/** An image at a server that the tests may reach. */
const DOG = `${cloud.hub.storeUrl}/images/dog.png`;

type Row = Record<string, unknown>;

interface Adapted {
  readonly datasetId: string;
  readonly quote: RunQuote;
  readonly status: Progressed;
  readonly report: RunReport;
  readonly rows: readonly Row[];
}

/** Uploads rows as JSON Lines, adapts them and waits for the end. */
async function adapt(
  name: string,
  rows: readonly Row[],
  request: Record<string, unknown>,
  prepare: (datasetId: string) => Promise<unknown> = async () => {},
): Promise<Adapted> {
  const datasetId = await api.upload(`${name}.jsonl`, rows.map((row) => JSON.stringify(row)).join('\n'));
  expect((await api.untilRead(datasetId)).row_count).toBe(rows.length);
  await prepare(datasetId);
  const estimate = await api.adapt(datasetId, { ...request, estimate: true });
  const quote = await api.adapt(datasetId, request);
  expect(quote.estimatedCreditsConsumed).toBe(estimate.estimatedCreditsConsumed);
  const status = await api.untilEnded(datasetId);
  const report = await api.report(datasetId);
  return { datasetId, quote, status, report, rows: await api.rows(datasetId) };
}

/** What holds of every mode: all rows delivered, in their order, and the quote is what was reserved and settled. */
async function requireWhole(
  { datasetId, quote, status, report, rows }: Adapted,
  outcomes: { changed: number; kept?: number; failed?: number },
  credits: number,
): Promise<void> {
  expect(status.status, JSON.stringify(report)).toBe('succeeded');
  expect(report.rows).toMatchObject({ kept: 0, failed: 0, dropped: 0, not_selected: 0, ...outcomes });
  expect(rows.map(({ id }) => id)).toEqual(rows.map((_, n) => n));
  expect(report.rows?.total).toBe(rows.length);
  expect([quote.estimatedCreditsConsumed, report.credits]).toEqual([
    credits,
    { reserved: credits, settled: credits },
  ]);
  const { configured_column_mapping: mapping } = await api.get(datasetId);
  expect(mapping?.context).toBeInstanceOf(Array);
  expect((await api.evaluation(datasetId)).status).toBe('succeeded');
}

const ids = [0, 1, 2, 3];

test('each mode adapts, evaluates, exports and bills its rows: chat: the last reply of nested turns and of turns as text', async () => {
  const turnsOf = (n: number) => [
    { role: 'system', content: 'You are a guide.' },
    { role: 'user', content: `how do i find thing row-91${n}` },
    { role: 'assistant', content: 'look for it' },
  ];
  const turns = ids.map(turnsOf);
  const adapted = await adapt(
    'chat',
    ids.map((id) => ({ id, turns: id % 2 === 0 ? turns[id] : JSON.stringify(turns[id]), note: 'kept' })),
    { column_mapping: { chat: 'turns' } },
  );

  await requireWhole(adapted, { changed: 4 }, 1);
  for (const [n, row] of adapted.rows.entries()) {
    expect(Object.keys(row)).toEqual([
      'turns',
      'enhanced_prompt',
      'enhanced_completion',
      'id',
      'note',
      'prompt_safety_issues',
      'response_safety_issues',
    ]);
    expect(row.turns).toEqual(n % 2 === 0 ? turns[n] : JSON.stringify(turns[n]));
    expect(JSON.parse(String(row.enhanced_prompt))).toEqual(turns[n]?.slice(0, 2));
    expect(row.enhanced_completion).toMatch(/^Look for it\. In short/);
  }
  const csv = await api.download(adapted.datasetId, 'csv');
  expect(csv.split('\n')[0]).toMatch(/^turns,enhanced_prompt,enhanced_completion,id,/);
  expect((await api.evaluation(adapted.datasetId)).quality).toMatchObject({
    score_before: expect.any(Number),
  });
});

test('each mode adapts, evaluates, exports and bills its rows: universal prompt: one instruction, folded into each row with its context', async () => {
  const universal_prompt = 'Explain the term for beginners.';
  const adapted = await adapt(
    'universal',
    ids.map((id) => ({ id, term: id === 3 ? '' : `tides row-92${id}`, gloss: 'the sea goes up and down' })),
    { column_mapping: { universal_prompt, context: ['term'], completion: 'gloss' } },
  );

  await requireWhole(adapted, { changed: 3, kept: 1 }, 1);
  expect(adapted.rows[0]?.enhanced_prompt).toBe(`${universal_prompt}\nterm: tides row-920`);
  expect(adapted.rows[3]).toMatchObject({
    enhanced_prompt: universal_prompt,
    enhanced_completion: 'the sea goes up and down',
  });
  expect(adapted.report.reported_rows).toMatchObject([{ row: 3, outcome: 'kept', code: 'context_empty' }]);
});

test('prompts alone: completions are generated, and there is no score before', async () => {
  const adapted = await adapt(
    'prompts',
    ids.map((id) => ({ id, question: `how do i cook dish row-93${id}` })),
    { column_mapping: { prompt: 'question' } },
  );

  await requireWhole(adapted, { changed: 4 }, 1);
  for (const row of adapted.rows) expect(String(row.enhanced_completion)).toContain('In short');
  const { quality } = await api.evaluation(adapted.datasetId);
  expect(quality).toMatchObject({
    score_before: null,
    grade_before: null,
    score_after: expect.any(Number),
  });
});

test('each mode adapts, evaluates, exports and bills its rows: completions alone: prompts are inferred, and a completion that stays is said to stay', async () => {
  const good =
    'Row-943 should know about baking bread: mix flour and water, let the dough rest, and bake it until the crust is brown.';
  const adapted = await adapt(
    'completions',
    ids.map((id) => ({ id, answer: id === 3 ? good : `bake the bread row-94${id}`, note: 'kept' })),
    { column_mapping: { completion: 'answer' } },
  );

  await requireWhole(adapted, { changed: 4 }, 1);
  for (const row of adapted.rows) {
    expect(Object.keys(row).slice(0, 3)).toEqual(['answer', 'enhanced_prompt', 'enhanced_completion']);
    expect(row.enhanced_prompt).toMatch(/^What should I know about /);
  }
  const stayed = adapted.rows.filter((row) => row.enhanced_completion === row.answer).map(({ id }) => id);
  expect(adapted.report.reported_rows.map(({ row, outcome, code }) => [row, outcome, code])).toEqual(
    stayed.map((row) => [row, 'changed', 'completion_kept']),
  );
});

test('each mode adapts, evaluates, exports and bills its rows: context is folded in, and stays a column', async () => {
  const adapted = await adapt(
    'context',
    ids.map((id) => ({
      id,
      question: `what is it row-95${id}`,
      answer: 'just a thing lol',
      subject: `clocks ${id}`,
    })),
    {
      column_mapping: { prompt: 'question', completion: 'answer', context: ['subject'] },
      recipe_specification: { recipes: { prompt_rephrase: false } },
    },
  );

  await requireWhole(adapted, { changed: 4 }, 1);
  expect(adapted.rows.map(({ subject }) => subject)).toEqual(ids.map((id) => `clocks ${id}`));
  expect((await api.get(adapted.datasetId)).configured_column_mapping?.context).toEqual(['subject']);
});

describe('images', () => {
  const request = (name: string) => ({ column_mapping: { prompt: 'question', image: name } });
  const question = (id: number) => `what is on the picture row-96${id}`;

  test('embedded images are shown to the model, billed as images, given back as bytes, and taken from the first rows', async () => {
    const before = (await model.stats()).images;
    const adapted = await adapt(
      'embedded',
      ids.map((id) => ({
        id,
        question: question(id),
        photo: id === 1 ? null : { bytes: PNG, path: 'p.png' },
      })),
      { ...request('photo'), job_specification: { max_rows: 2 } },
    );

    expect(adapted.status.status).toBe('succeeded');
    expect(adapted.report.rows).toMatchObject({ changed: 2, not_selected: 2, failed: 0 });
    expect((await model.stats()).images - before).toBe(1);
    expect(adapted.quote).toMatchObject({
      multimodalPricingApplied: true,
      creditMultiplier: 10,
      estimatedCreditsConsumed: 10,
    });
    expect(adapted.report.credits).toEqual({ reserved: 10, settled: 10 });
    expect(await api.get(adapted.datasetId)).toMatchObject({
      image_column_formats: { photo: 'embedded_bytes' },
      configured_column_mapping: { image: 'photo', context: ['photo'] },
    });
    expect(adapted.rows.map(({ enhanced_completion: text }) => typeof text)).toEqual([
      'string',
      'string',
      'object',
      'object',
    ]);
    const image = { bytes: PNG, path: null };
    expect(adapted.rows.map(({ original_image }) => original_image)).toEqual([image, null, image, image]);
    const csv = await api.download(adapted.datasetId, 'csv');
    expect(csv).toContain(`"{""bytes"":""${PNG}"",""path"":null}"`);
  });

  test('images of links stay links, and those of files are shown and given back as links that work', async () => {
    const before = (await model.stats()).images;
    const adapted = await adapt(
      'files',
      [
        { id: 0, question: question(0), photo: 'pictures/cat.gif' },
        { id: 1, question: question(1), photo: 'pictures/gone.gif' },
        { id: 2, question: question(2), photo: DOG },
      ],
      request('photo'),
      (datasetId) =>
        s3.send(
          new PutObjectCommand({
            Bucket: cloud.bucketName,
            Key: objectKeys.file(datasetId, 'pictures/cat.gif'),
            Body: Buffer.from(GIF, 'base64'),
          }),
        ),
    );

    expect(adapted.status.status).toBe('succeeded');
    expect((await api.get(adapted.datasetId)).image_column_formats).toEqual({ photo: 'file_reference' });
    expect(adapted.report.rows).toMatchObject({ changed: 2, failed: 1 });
    expect(adapted.report.reported_rows).toMatchObject([
      { row: 1, outcome: 'failed', code: 'image_missing' },
    ]);
    expect((await model.stats()).images - before).toBe(2);
    const [file, gone, link] = adapted.rows.map(({ original_image }) => original_image);
    expect([gone, link]).toEqual([null, DOG]);
    const answer = await fetch(String(file));
    expect(Buffer.from(await answer.arrayBuffer()).toString('base64')).toBe(GIF);
    expect(JSON.stringify(adapted.rows)).not.toContain('s3://');
  });
});

test('every sum of the team is right at the end', () => requireSoundLedger(admin, TEAM));
