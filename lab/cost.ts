import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { SFNClient } from '@aws-sdk/client-sfn';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { App } from 'aws-cdk-lib';
import { SCRIPTED, startScriptedModel } from '#bin/scripted-model.ts';
import { addStacks } from '#infra/app.ts';
import { loadConfig } from '#infra/config.ts';
import { functionName } from '#infra/names.ts';
import { runCommand } from '#local/child.ts';
import { executionHistories } from '#local/execution-histories.ts';
import { localDirectory, repositoryRoot } from '#local/paths.ts';
import { ensurePython } from '#local/python.ts';
import { type LocalCloud, startLocalCloud } from '#local/up.ts';
import { bucketPrefixes } from '#shared/platform/runtime/uses.ts';
import { atRest, type BilledTemplate, toMonthTable } from './cost/at-rest.ts';
import { type ItemWrite, type Requests, startCountingProxy } from './cost/counting-proxy.ts';
import { type Bill, PRICES_SOURCE, toTable } from './cost/prices.ts';

/**
 * `npm run cost`: the AWS cost of 1,000 adapted rows without model calls, from the requests of a real run on the local
 * cloud with an instant model, and the monthly cost of an idle stage, from its templates. `-- --docs` writes the tables
 * into docs/operations/pay.md.
 */
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const ROWS = 1000;
const DOCUMENT = fileURLToPath(new URL('../docs/operations/pay.md', import.meta.url));
const MARKED_MONTH = /(<!-- at rest -->\n).*(<!-- \/at rest -->)/s;
const MARKED = /(<!-- cost -->\n).*(<!-- \/cost -->)/s;

/** Values that cannot be counted here are assumed, and the document says so. */
const ASSUMED = {
  /** Duration of one model call, while its worker waits. */
  modelSeconds: 2,
  modelConcurrency: 32,
  /** A caller polls its run every five seconds. */
  pollSeconds: 5,
  /** Lambda itself writes START, END and REPORT lines. */
  platformLogBytes: 400,
  /** Step Functions logs two events for each transition. */
  transitionLogBytes: 2 * 400,
  /** A map item is started and passes the four states of statemachines/map-chunks.asl.yaml. */
  itemTransitions: 5,
} as const;

interface Invocation {
  readonly functionName: string;
  readonly seconds: number;
}

const csvOf = (rows: number): string =>
  `question,answer\n${Array.from({ length: rows }, (_, n) => `how does thing row-${n} work in a house,thing row-${n} works as it does and has always done\n`).join('')}`;

async function call<Body>(cloud: LocalCloud, method: string, path: string, body?: unknown): Promise<Body> {
  const response = await fetch(`${cloud.apiUrl}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${cloud.apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.status >= 500 && method === 'GET') {
    await sleep(ASSUMED.pollSeconds * 1000);
    return call(cloud, method, path);
  }
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}

/** Uploads, adapts, evaluates and downloads rows, as a client does. */
async function adaptRows(cloud: LocalCloud, rows: number): Promise<void> {
  const created = await call<{ dataset_id: string; upload_instructions: { url: string } }>(
    cloud,
    'POST',
    '/datasets',
    { source: { name: 'cost.csv' } },
  );
  const path = `/datasets/${created.dataset_id}`;
  const file = csvOf(rows);
  await fetch(created.upload_instructions.url, { method: 'PUT', body: file });
  await call(cloud, 'POST', `${path}/upload/complete`, { file_size_bytes: file.length });
  const until = async (isDone: (status: { status: string; row_count: number | null }) => boolean) => {
    for (;;) {
      const status = await call<{ status: string; row_count: number | null }>(cloud, 'GET', `${path}/status`);
      if (status.status === 'failed') throw new Error(`The run of ${rows} rows failed.`);
      if (isDone(status)) return;
      await sleep(ASSUMED.pollSeconds * 1000);
    }
  };
  await until(({ row_count }) => row_count !== null);
  await call(cloud, 'POST', `${path}/adapt`, {
    column_mapping: { prompt: 'question', completion: 'answer' },
  });
  await until(({ status }) => status === 'succeeded');
  const download = await fetch(`${cloud.apiUrl}/api/v1${path}/download`, {
    headers: { authorization: `Bearer ${cloud.apiKey}` },
  });
  if (!download.ok) throw new Error(`The download was answered with ${download.status}.`);
  await download.arrayBuffer();
}

/** Size and number of indexes of every item, by key. */
async function readItems(tableName: string): Promise<Map<string, { bytes: number; indexes: number }>> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  const items = new Map<string, { bytes: number; indexes: number }>();
  let from: ScanCommandOutput['LastEvaluatedKey'];
  do {
    const page = await client.send(new ScanCommand({ TableName: tableName, ExclusiveStartKey: from }));
    for (const item of page.Items ?? []) {
      const indexes = Object.keys(item).filter((name) => /^list_(created|updated|name)$/.test(name)).length;
      items.set(`${item.pk} ${item.sk}`, { bytes: Buffer.byteLength(JSON.stringify(item)), indexes });
    }
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  client.destroy();
  return items;
}

/** A write is billed by the kilobyte, twice in a transaction, and once more for every index with the item. */
function writeUnits(
  writes: readonly ItemWrite[],
  items: ReadonlyMap<string, { bytes: number; indexes: number }>,
) {
  return writes.reduce((sum, { pk, sk, isTransaction }) => {
    const { bytes, indexes } = items.get(`${pk} ${sk}`) ?? { bytes: 1, indexes: 0 };
    const units = Math.ceil(bytes / 1024);
    return sum + units * (isTransaction ? 2 : 1) + units * indexes;
  }, 0);
}

/** A read is billed by four kilobytes, and half as much if it is eventually consistent. */
const readUnits = (reads: Requests['itemReads']): number =>
  reads.reduce(
    (sum, { bytes, isConsistent }) => sum + Math.max(1, Math.ceil(bytes / 4096)) * (isConsistent ? 1 : 0.5),
    0,
  );

/** States entered in all executions so far, except those of map items, which the emulator does not expose. */
async function countTransitions(): Promise<number> {
  const client = new SFNClient({});
  let transitions = 0;
  for await (const { events } of executionHistories(client)) {
    // Each execution is billed for its start as well.
    transitions += 1 + events.filter(({ type = '' }) => type.endsWith('StateEntered')).length;
  }
  client.destroy();
  return transitions;
}

/** What is gone after two days is next to nothing of a month. */
const EXPIRING = [bucketPrefixes.imports, bucketPrefixes.converted];

async function bucketBytes(bucket: string): Promise<number> {
  const client = new S3Client({ forcePathStyle: true });
  let bytes = 0;
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket })) {
    for (const { Key = '', Size = 0 } of Contents) {
      if (!EXPIRING.some((prefix) => Key.startsWith(prefix))) bytes += Size;
    }
  }
  client.destroy();
  return bytes;
}

/** The functions' logs so far, and the invocations in them. */
async function readLogs(): Promise<{ invocations: Invocation[]; bytes: number; modelCalls: number }> {
  const python = await ensurePython(['emulator']);
  const text = await runCommand(python, [join(repositoryRoot, 'local', 'function_logs.py')], {
    what: 'Reading the logs',
    environment: process.env,
  });
  const invocations: Invocation[] = [];
  let bytes = 0;
  let modelCalls = 0;
  for (const line of text.split('\n')) {
    const [, functionName = '', json = ''] = /^[\d:]+ (\S+) (\{.*\})$/.exec(line) ?? [];
    if (json === '') continue;
    bytes += Buffer.byteLength(json);
    const { message, duration_ms, ModelCalls, role } = JSON.parse(json) as Record<string, unknown>;
    if (/^(task|request)( failed)?$/.test(String(message)) && duration_ms !== undefined) {
      invocations.push({ functionName, seconds: Number(duration_ms) / 1000 });
    }
    if (ModelCalls !== undefined && role !== undefined) modelCalls += Number(ModelCalls);
  }
  return { invocations, bytes, modelCalls };
}

/** Memory of each function, in gigabytes. */
async function readMemory(names: Iterable<string>): Promise<Map<string, number>> {
  const client = new LambdaClient({});
  const gigabytes = new Map<string, number>();
  for (const FunctionName of new Set(names)) {
    const { MemorySize = 0 } = await client.send(new GetFunctionConfigurationCommand({ FunctionName }));
    gigabytes.set(FunctionName, MemorySize / 1024);
  }
  client.destroy();
  return gigabytes;
}

/** The templates of a production stage with default settings, from the last build. */
async function productionTemplates(): Promise<BilledTemplate[]> {
  const { context } = JSON.parse(await readFile(join(repositoryRoot, 'cdk.json'), 'utf8'));
  const app = new App({ context, analyticsReporting: false });
  addStacks(
    app,
    loadConfig(() => undefined, { STAGE: 'prod', MODEL_ID: 'model' }),
  );
  return app.synth().stacks.map(({ template }) => template as BilledTemplate);
}

async function measure(cloud: LocalCloud, take: () => Requests): Promise<Bill> {
  Object.assign(process.env, cloud.environment);
  // The first run calibrates the judge, so that the second finds the calibration.
  await adaptRows(cloud, 12);
  await sleep(2000);
  take();
  const before = {
    logs: await readLogs(),
    transitions: await countTransitions(),
    bytes: await bucketBytes(cloud.bucketName),
  };

  await adaptRows(cloud, ROWS);
  await sleep(2000);
  const requests = take();
  const logs = await readLogs();
  const bytes = (await bucketBytes(cloud.bucketName)) - before.bytes;

  const invocations = logs.invocations.slice(before.logs.invocations.length);
  const apiRequests = invocations.filter(({ functionName }) => functionName.includes('-api-')).length;
  const modelCalls = logs.modelCalls - before.logs.modelCalls;
  const memory = await readMemory(invocations.map(({ functionName }) => functionName));
  const worker = memory.get(functionName('local', 'tasks/adapt/adapt-chunk')) ?? Number.NaN;
  const mapItems = invocations.filter(({ functionName }) => functionName.endsWith('-chunk')).length;
  const transitions = (await countTransitions()) - before.transitions + mapItems * ASSUMED.itemTransitions;
  const items = await readItems(cloud.tableName);
  const waitSeconds = (modelCalls * ASSUMED.modelSeconds) / ASSUMED.modelConcurrency;
  console.log(
    `${ROWS} rows: ${modelCalls} model calls, ${invocations.length} invocations, ${requests.itemWrites.length} writes and ` +
      `${requests.itemReads.length} reads of the table, S3 ${JSON.stringify(requests.s3)}, others ${JSON.stringify(requests.others)}`,
  );
  const logBytes =
    logs.bytes -
    before.logs.bytes +
    invocations.length * ASSUMED.platformLogBytes +
    transitions * ASSUMED.transitionLogBytes;
  return {
    apiRequest: apiRequests,
    lambdaRequest: invocations.length,
    lambdaGbSecond: invocations.reduce(
      (sum, { functionName, seconds }) => sum + (memory.get(functionName) ?? 0) * seconds,
      0,
    ),
    lambdaWaitGbSecond: waitSeconds * worker,
    stateTransition: transitions,
    tableWriteUnit: writeUnits(requests.itemWrites, items),
    tableReadUnit: readUnits(requests.itemReads),
    // The caller's own PUT of the file bypasses the functions.
    objectWrite: requests.s3.put + requests.s3.list + 1,
    objectRead: requests.s3.get + 1,
    objectMonth: bytes / 1e9,
    secretRead: requests.others['secretsmanager GetSecretValue'] ?? 0,
    logGb: logBytes / 1e9,
    trace: invocations.length,
  };
}

const proxy = await startCountingProxy();
const model = await startScriptedModel();
try {
  const cloud = await startLocalCloud({
    model: { baseUrl: model.url, modelId: SCRIPTED.text, embeddingModelId: SCRIPTED.embedding },
    emulatorPort: 0,
    stateDir: join(localDirectory, 'cost'),
    fresh: true,
    settings: { MODEL_CONCURRENCY: String(ASSUMED.modelConcurrency) },
    functionEndpoint: (port) => {
      proxy.forwardTo(port);
      return `http://127.0.0.1:${proxy.port}`;
    },
  });
  try {
    const month = toMonthTable(atRest(await productionTemplates()));
    const table = toTable(await measure(cloud, proxy.take));
    console.log(`\n${table}\n\n${month}\n\nPrices: ${PRICES_SOURCE}.`);
    if (process.argv.includes('--docs')) {
      const document = await readFile(DOCUMENT, 'utf8');
      const counted = document.replace(MARKED, `$1${table}\n$2`);
      await writeFile(DOCUMENT, counted.replace(MARKED_MONTH, `$1${month}\n$2`));
    }
  } finally {
    await cloud.stop();
  }
} finally {
  model.stop();
  await proxy.stop();
}
