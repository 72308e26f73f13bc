import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { Webhook as Verifier } from 'standardwebhooks';
import { verifyWebhook } from 'tunesmith';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { functionName } from '#infra/names.ts';
import { findFreePort } from '#local/ports.ts';
import type { Event } from '#shared/events/schema/event.ts';
import { callFunction } from '#shared/platform/adapters/call-function.ts';
import type { Webhook, WebhookDelivery, WebhookWithSecret } from '#shared/webhooks/schema/webhook.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { startTrap, type Trap } from '#test/helpers/attacking.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { until } from '#test/helpers/cloud-runs.ts';
import { readPage } from '#test/helpers/pages.ts';
import { runPython } from '#test/helpers/run-python.ts';
import { searchCloud } from '#test/helpers/search-cloud.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

/** Webhooks on the deployed stacks, with receivers that verify by the packages of Standard Webhooks. */
const cloud = testCloud();
const admin = createCloudAdmin(cloud);
const receiver = `http://127.0.0.1:${cloud.receiverPort}`;

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let server: Server;
let trap: Trap;
let api: ApiClient;
let webhook: WebhookWithSecret;
const received: Received[] = [];
/** What receivers answer, by path. */
const answers = new Map<string, () => { status: number; location?: string }>();

beforeAll(async () => {
  trap = await startTrap();
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      const path = request.url ?? '';
      received.push({ path, headers: request.headers, body });
      const { status, location } = answers.get(path)?.() ?? { status: 204 };
      response.writeHead(status, location === undefined ? {} : { location }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(cloud.receiverPort, '127.0.0.1', resolve));
  api = createApiClient(cloud.apiUrl, await admin.createKey('hooked', '--credits', '10'));
  webhook = await create('/ok');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await trap.close();
});

/** The first code of a language on the page about webhooks. */
function codeOf(language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(readPage('docs/webhooks.md')) ?? [];
  if (code === undefined) throw new Error(`docs/webhooks.md has no ${language}.`);
  return code;
}

const create = async (path: string): Promise<WebhookWithSecret> =>
  (await api.send<WebhookWithSecret>('POST', '/api/v1/webhooks', { url: `${receiver}${path}` })).body;

const sendTest = async ({ webhook_id }: Webhook): Promise<string> =>
  (await api.send<{ event_id: string }>('POST', `/api/v1/webhooks/${webhook_id}/test`)).body.event_id;

const arrival = (path: string, id: string, number = 1): Promise<Received> =>
  until(
    `${id} at ${path}`,
    async () => {
      const found = received.filter((each) => each.path === path && each.headers['webhook-id'] === id);
      return found[number - 1] ?? null;
    },
    60,
  );

const deliveriesOf = async ({ webhook_id }: Webhook): Promise<WebhookDelivery[]> =>
  (await api.send<{ deliveries: WebhookDelivery[] }>('GET', `/api/v1/webhooks/${webhook_id}/deliveries`)).body
    .deliveries;

const verify = ({ secret }: { readonly secret: string }, { headers, body }: Received): unknown =>
  new Verifier(secret).verify(body, headers as Record<string, string>);

test('a test event arrives, and both packages of Standard Webhooks verify it', async () => {
  const got = await arrival('/ok', await sendTest(webhook));

  expect(verify(webhook, got)).toMatchObject({
    type: 'webhook.test',
    data: { webhook_id: webhook.webhook_id },
  });
  const port = await findFreePort();
  // It ends after one request, and answers it before.
  const receiver = codeOf('python')
    .replace('3000', String(port))
    .replaceAll('ThreadingHTTPServer', 'HTTPServer')
    .replace('serve_forever', 'handle_request');
  const [{ code, output }, status] = await Promise.all([
    runPython(['-c', receiver], { WEBHOOK_SECRET: webhook.secret ?? '' }),
    forward(got, port),
  ]);

  expect(code, output).toBe(0);
  expect(status).toBe(204);
  expect(output).toContain('webhook.test');
});

/** Sends what has arrived to a receiver as soon as it listens. */
async function forward({ headers, body }: Received, port: number): Promise<number> {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'));
  const send = () =>
    fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers: own as [string, string][], body }).catch(
      () => null,
    );
  return (await until('the receiver of the page', send, 30)).status;
}

test('the TypeScript of the page verifies it as well', async () => {
  const got = await arrival('/ok', await sendTest(webhook));
  const code = codeOf('ts').replace(/^import .*$/m, '');
  const run = new Function(
    'verifyWebhook',
    'secret',
    'request',
    `return (async () => {${code}; return payload; })()`,
  );

  expect(
    await run(verifyWebhook, webhook.secret, { headers: got.headers, text: async () => got.body }),
  ).toEqual(verify(webhook, got));
});

test('what happens to a dataset arrives as GET /events tells it', async () => {
  const datasetId = await api.upload('rows.csv', 'question,answer\nhow,so\n');
  await api.untilRead(datasetId);
  const { events } = (await api.send<{ events: Event[] }>('GET', '/api/v1/events?after=0&limit=200')).body;
  const read = events.find(({ type, dataset_id }) => type === 'dataset.read' && dataset_id === datasetId);

  expect(verify(webhook, await arrival('/ok', read?.id ?? ''))).toEqual(read);
});

test('a delivery that failed is repeated by the sweep, with the same id', async () => {
  let refusals = 1;
  answers.set('/flaky', () => ({ status: refusals-- > 0 ? 503 : 204 }));
  const flaky = await create('/flaky');
  const id = await sendTest(flaky);
  await arrival('/flaky', id);

  // The first attempts come 5 seconds apart; a sweep comes each minute, and here as often as asked.
  await until(
    'the second attempt',
    async () => {
      await callFunction(functionName('local', 'consumers/sweep-events'), {});
      return received.filter(({ headers }) => headers['webhook-id'] === id).length > 1 || null;
    },
    60,
  );

  expect(verify(flaky, await arrival('/flaky', id, 2))).toMatchObject({ id });
  const delivered = await until(
    'the log',
    async () => (await deliveriesOf(flaky)).find(({ status }) => status === 'delivered') ?? null,
    30,
  );
  expect(delivered).toMatchObject({ event_id: id, attempts: 2, response_status: 204, error: null });
});

test('an event is sent again on request', async () => {
  const [latest] = await deliveriesOf(webhook);
  const path = `/api/v1/webhooks/${webhook.webhook_id}/deliveries/${latest?.position}/retry`;

  expect((await api.send('POST', path)).status).toBe(202);

  expect(verify(webhook, await arrival('/ok', latest?.event_id ?? '', 2))).toMatchObject({
    position: latest?.position,
  });
});

test('during a rotation both secrets verify', async () => {
  const path = `/api/v1/webhooks/${webhook.webhook_id}/rotate-secret`;
  const rotated = (await api.send<WebhookWithSecret>('POST', path)).body;
  const got = await arrival('/ok', await sendTest(webhook));

  expect(verify(rotated, got)).toEqual(verify(webhook, got));
});

test.each([
  'http://127.0.0.1:PORT/',
  'https://127.0.0.1:PORT/',
  'https://localhost:PORT/',
  'https://[::1]:PORT/',
  'https://0x7f000001:PORT/',
  'https://169.254.169.254/latest/meta-data/',
  'https://metadata.google.internal/',
  'ENDPOINT/',
])('the inside address %s is refused', async (address) => {
  const url = address.replace('PORT', `${trap.port}`).replace('ENDPOINT', cloud.endpoint);
  const { status, problem } = await api.send('POST', '/api/v1/webhooks', { url });

  expect([status, problem.code]).toEqual([400, 'invalid_request']);
  const update = await api.send('POST', `/api/v1/webhooks/${webhook.webhook_id}`, { url });
  expect(update.status).toBe(400);
  expect(trap.reached).toEqual([]);
});

test('a redirect leads nowhere', async () => {
  answers.set('/moved', () => ({ status: 307, location: `http://127.0.0.1:${trap.port}/` }));
  const moved = await create('/moved');
  await arrival('/moved', await sendTest(moved));

  const [delivery] = await until(
    'the attempt',
    async () => {
      const found = await deliveriesOf(moved);
      return (found[0]?.attempts ?? 0) > 0 ? found : null;
    },
    30,
  );
  expect(delivery).toMatchObject({ status: 'pending', response_status: 307 });
  expect(trap.reached).toEqual([]);
});

test('a secret is in no log, item or object', async () => {
  // The secret with its prefix holds it too.
  expect((await searchCloud(cloud, webhook.secret.slice('whsec_'.length))).found).toEqual([]);
});
