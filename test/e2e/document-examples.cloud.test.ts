import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as z from 'zod';
import type { Append } from '#shared/ingest/schema/append.ts';
import { EXAMPLE_MODEL } from '#shared/platform/schema/common.ts';
import { SCOPES } from '#shared/platform/schema/scope.ts';
import type { ModelResponse } from '#shared/responses/schema/response.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import type { ComparisonLaunch } from '#shared/training/schema/comparison.ts';
import type { TrainingRun } from '#shared/training/schema/training.ts';
import type { Webhook } from '#shared/webhooks/schema/webhook.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { bodies } from '#test/helpers/sample-bodies.ts';
import { controlScriptedModel } from '#test/helpers/scripted-control.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const TEAM = 'examples';

/** Routes whose examples are answered with something else than success, as their descriptions say. */
const refused: Readonly<Record<string, string>> = {
  'datasets.publish': 'publish_not_implemented',
  // That of its path was never begun here.
  'autoscientist.publish': 'training_not_found',
  // Nobody has mended a row of the dataset.
  'datasets.verdicts.apply': 'nothing_to_apply',
  // The pilot of its path is an example.
  'datasets.pilots.verdicts': 'pilot_not_found',
  // Its file is an example: the openai packages send a real one in test/e2e/answers.
  'fine-tuning.jobs.create': 'dataset_not_found',
};

let api: ApiClient;
let apiKey = '';
let adapted = '';
/** Two datasets that can be merged and trained on as they are. */
let raw: readonly [string, string] = ['', ''];
const trainings: string[] = [];

/** Rows of a CSV file of exactly that many bytes, which the examples announce. */
function csvOf(bytes: number): string {
  const rows = ['question,answer'];
  let size = rows[0]?.length ?? 0;
  for (let n = 0; size < bytes - 400; n += 1) {
    const row = `How does customer ${n} of shop ${n * 7} reset the password number ${n * 13}?,By the link number ${n} that shop ${n * 7} sends in an email to customer ${n}.`;
    rows.push(row);
    size += row.length + 1;
  }
  const last = 'What is the last question?,';
  return `${rows.join('\n')}\n${last}${'a'.repeat(bytes - size - 1 - last.length - 1)}\n`;
}

const put = async (url: string, bytes: number): Promise<void> => {
  const answer = await fetch(url, { method: 'PUT', body: csvOf(bytes) });
  if (!answer.ok) throw new Error(`The upload was answered with ${answer.status}.`);
};

const [EXAMPLE_ID, SECOND_EXAMPLE_ID] = (
  bodies['datasets.combine.create'] as { readonly dataset_ids: readonly [string, string] }
).dataset_ids;

const bytesOf = (example: unknown): number => (example as { file_size_bytes: number }).file_size_bytes;

/** The example with other texts in place of some of its own, wherever they stand. */
const replaced = (example: unknown, texts: Readonly<Record<string, string>>): unknown =>
  JSON.parse(
    Object.entries(texts).reduce(
      (text, [from, to]) => text.replaceAll(JSON.stringify(from), JSON.stringify(to)),
      JSON.stringify(example),
    ),
  );

async function untilEvaluated(datasetId: string): Promise<void> {
  for (const deadline = Date.now() + 90_000; Date.now() < deadline; await sleep(300)) {
    const { status } = await api.evaluation(datasetId);
    if (status === 'succeeded') return;
  }
  throw new Error('The evaluation did not end.');
}

beforeAll(async () => {
  await controlScriptedModel(cloud.modelUrl).setScript({ judge: 'fair' });
  await admin.run('plan', 'set', 'examples', '--requests-per-second', '1000', '--runs-at-once', '50');
  apiKey = await admin.createKey(
    TEAM,
    '--plan',
    'examples',
    '--credits',
    '1000',
    '--scopes',
    SCOPES.join(','),
  );
  api = createApiClient(cloud.apiUrl, apiKey);
  await admin.run('pool', 'load');
  // As many as a comparison needs.
  const rows = Array.from({ length: 60 }, (_, n) => `How do I do row-${n}?,You do row-${n} like this.`);
  const [own, first, second] = await Promise.all([
    api.upload('own.csv', `question,answer\n${rows.join('\n')}\n`),
    ...['first.csv', 'second.csv'].map((name) =>
      api.upload(name, csvOf(9000), {
        source: {
          name,
          file_format: 'csv',
          processing_mode: 'raw',
          column_mapping: { prompt: 'question', completion: 'answer' },
        },
      }),
    ),
  ]);
  await api.untilRead(own);
  // The first example that is sent, as a real run, which others need the end of.
  await api.adapt(own, {
    ...(bodies['datasets.adapt'] as object),
    estimate: false,
    language_expansion: null,
    job_specification: { idempotency_key: 'support-answers-1' },
  });
  await Promise.all([own, first ?? '', second ?? ''].map((datasetId) => api.untilEnded(datasetId)));
  await untilEvaluated(own);
  adapted = own;
  raw = [first ?? '', second ?? ''];
}, 150_000);

afterAll(async () => {
  await Promise.all(trainings.map((id) => api.send('POST', `/api/v1/autoscientist/${id}/cancel`)));
});

interface Sent {
  readonly datasetId: string;
  readonly body: unknown;
}

/** What a request needs of the deployed service before its example can be sent. */
const prepared: Readonly<Record<string, (example: unknown) => Promise<Sent>>> = {
  'batches.create': async (body) => ({
    datasetId: '',
    body: { ...(body as object), input_file_id: `file-${adapted.replaceAll('-', '')}` },
  }),
  'datasets.start-adaption': async (body) => {
    const { body: created } = await api.send<{ dataset_id: string; upload_instructions: { url: string } }>(
      'POST',
      '/api/v1/datasets',
      { ...(bodies['datasets.create'] as object), defer_adaption: true },
    );
    await put(created.upload_instructions.url, 500);
    const complete = await api.send('POST', `/api/v1/datasets/${created.dataset_id}/upload/complete`, {
      file_size_bytes: 500,
    });
    expect(complete.status).toBe(200);
    return { datasetId: created.dataset_id, body };
  },
  'datasets.uploads.complete': async (example) => {
    const { body } = await api.send<{ upload_url: string; s3_key: string }>(
      'POST',
      '/api/v1/datasets/upload/initiate',
      bodies['datasets.uploads.initiate'],
    );
    await put(body.upload_url, bytesOf(example));
    return { datasetId: '', body: { ...(example as object), s3_key: body.s3_key } };
  },
  'datasets.uploads.complete-by-id': async (body) => {
    const { body: created } = await api.send<{ dataset_id: string; upload_instructions: { url: string } }>(
      'POST',
      '/api/v1/datasets',
      bodies['datasets.create'],
    );
    await put(created.upload_instructions.url, bytesOf(body));
    return { datasetId: created.dataset_id, body };
  },
  'datasets.uploads.complete-batch': async (example) => {
    const { body } = await api.send<{
      dataset_id: string;
      uploads: { upload_url: string; s3_key: string }[];
    }>('POST', '/api/v1/datasets/upload/initiate-batch', bodies['datasets.uploads.initiate-batch']);
    const { files } = example as { readonly files: readonly object[] };
    await Promise.all(files.map((file, index) => put(body.uploads[index]?.upload_url ?? '', bytesOf(file))));
    const uploaded = files.map((file, index) => ({ ...file, s3_key: body.uploads[index]?.s3_key }));
    return { datasetId: '', body: { dataset_id: body.dataset_id, files: uploaded } };
  },
};

/** The example as it is, with the ids of datasets that there are. */
const asItIs = (id: string, example: unknown): Sent => {
  const [first, second] = raw;
  const isRaw = id.startsWith('autoscientist.') && !id.startsWith('autoscientist.comparisons.');
  const trainable = isRaw || id.startsWith('datasets.combine.');
  return {
    datasetId: id === 'datasets.rows.append' ? first : adapted,
    body: replaced(example, {
      [EXAMPLE_ID]: trainable ? first : adapted,
      [SECOND_EXAMPLE_ID]: second,
      [EXAMPLE_MODEL]: 'scripted',
    }),
  };
};

/** Answers again while the search index of the dataset is being built, as the error says. */
async function send(method: string, path: string, body: unknown) {
  for (const deadline = Date.now() + 60_000; ; await sleep(500)) {
    const answer = await api.send(method, path, body);
    const isWaiting = answer.status === 503 && answer.problem.code === 'index_not_ready';
    if (!isWaiting || Date.now() > deadline) return answer;
  }
}

/** Endpoints whose examples ask for a price, and which others need an answer of that starts something. */
const launched = ['datasets.pilots.create', 'autoscientist.comparisons.create'];

const examples = contracts
  .filter(({ id }) => id in bodies)
  .flatMap((contract) => {
    const { id } = contract;
    const value = bodies[id];
    const shown = { id, name: 'example', contract, value };
    return launched.includes(id)
      ? [shown, { ...shown, name: 'launch', value: { ...(value as object), estimate: false } }]
      : [shown];
  });

/** What was answered to the examples, by endpoint and name. */
const answers = new Map<string, unknown>();

test.each(examples)(
  'the $name of $id is answered as the document says',
  async ({ id, name, contract, value }) => {
    const { datasetId, body } = (await prepared[id]?.(value)) ?? asItIs(id, value);

    const path = contract.path
      .replace('{dataset_id}', datasetId)
      .replace('{experiment_id}', randomUUID())
      .replace('{eval_id}', (answers.get('evals.create example') as { id: string } | undefined)?.id ?? '')
      .replace(
        '{webhook_id}',
        (answers.get('webhooks.create example') as Webhook | undefined)?.webhook_id ?? '',
      );
    const answer = await send(contract.method, path, body);

    const refusal = refused[id];
    if (refusal !== undefined) {
      expect(answer.problem.code).toBe(refusal);
      return;
    }
    expect(answer.status, answer.text).toBe(contract.status);
    const schema = contract.response as z.ZodType;
    const parsed = schema.parse(JSON.parse(answer.text));
    expect(parsed).toEqual(JSON.parse(answer.text));
    answers.set(`${id} ${name}`, parsed);
    if (id === 'autoscientist.create') trainings.push((parsed as TrainingRun).id);
  },
  90_000,
);

/**
 * Routes that need what the examples do not make: a large merge, an active run, an older adaptation, a connection to a hub, an
 * ended training, a delivery, a form with a file, a fine-tuning job, a run of an eval.
 */
const notShown = new Set([
  'datasets.combine.job',
  'datasets.cancel',
  'datasets.pilots.cancel',
  'datasets.versions.delete',
  'datasets.publications.get',
  'autoscientist.download',
  'autoscientist.download-link',
  'autoscientist.deploy',
  'autoscientist.publications.get',
  'webhooks.deliveries.retry',
  'files.create',
  // It deletes the dataset that its route deletes.
  'files.delete',
  ...contracts
    .filter(({ path }) => path.includes('{fine_tuning_job_id}') || path.includes('/evals/{eval_id}/runs/{'))
    .map(({ id }) => id),
]);

/** A file that the page of the console names. */
async function consoleAsset(): Promise<string> {
  const page = await (await fetch(`${cloud.apiUrl}/console`)).text();
  return /console\/([\w-]+\.js)/.exec(page)?.[1] ?? '';
}

/** Deletion comes last, since it takes away what others read. */
const reading = contracts
  .filter((contract) => contract.body === undefined && !notShown.has(contract.id))
  .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

test.each(reading)('$id, which takes no body, is answered as the document says', async (contract) => {
  const known = {
    dataset_id:
      contract.method === 'DELETE' ? raw[1] : contract.id === 'datasets.appends.get' ? raw[0] : adapted,
    append_id: (answers.get('datasets.rows.append example') as Append).append_id ?? '',
    experiment_id: trainings[0] ?? '',
    comparison_id:
      (answers.get('autoscientist.comparisons.create launch') as ComparisonLaunch).comparison_id ?? '',
    custom_eval_id: (answers.get('datasets.custom-evals.create example') as { custom_eval_id: string })
      .custom_eval_id,
    pilot_id: (answers.get('datasets.pilots.create launch') as { pilot_id: string }).pilot_id,
    webhook_id: (answers.get('webhooks.create example') as Webhook).webhook_id,
    response_id: (answers.get('responses.create example') as ModelResponse).id,
    eval_id: (answers.get('evals.create example') as { id: string }).id,
    batch_id: (answers.get('batches.create example') as { id: string }).id,
    file_id: `file-${adapted.replaceAll('-', '')}`,
    model: 'scripted',
    row: '0',
    asset: contract.id === 'service.console-asset' ? await consoleAsset() : 'swagger-ui.css',
  };
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name as keyof typeof known]);

  const queries: Readonly<Record<string, string>> = {
    'datasets.diff': '?from=1&to=2',
    'datasets.review.alike': '?completion=A%20mended%20text.',
  };
  const query = queries[contract.id] ?? '';
  const ask = () =>
    fetch(`${cloud.apiUrl}${path}${query}`, {
      method: contract.method,
      redirect: 'manual',
      headers: { authorization: `Bearer ${apiKey}` },
    });

  let answer = await ask();
  for (
    const deadline = Date.now() + 60_000;
    answer.status === 202 && contract.status !== 202 && Date.now() < deadline;
    await sleep(500)
  ) {
    answer = await ask();
  }

  const text = await answer.text();
  expect(answer.status, text).toBe(contract.status);
  if (contract.response !== undefined)
    expect(contract.response.parse(JSON.parse(text))).toEqual(JSON.parse(text));
});
