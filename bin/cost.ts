import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { SFNClient } from '@aws-sdk/client-sfn';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { functionName } from '#infra/names.ts';
import { runCommand } from '#local/child.ts';
import { executionHistories } from '#local/execution-histories.ts';
import { localDirectory, repositoryRoot } from '#local/paths.ts';
import { ensurePython } from '#local/python.ts';
import { type LocalCloud, startLocalCloud } from '#local/up.ts';
import { type ItemWrite, type Requests, startCountingProxy } from './cost/counting-proxy.ts';
import { type Bill, PRICES_SOURCE, toTable } from './cost/prices.ts';

/**
 * `npm run cost`: what 1,000 adapted rows cost on AWS without the model's calls, from the requests of a real run on the
 * local cloud with a model that answers at once. `-- --docs` writes the table into docs/operations.md.
 */
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const ROWS = 1000;
const DOCUMENT = fileURLToPath(new URL('../docs/operations.md', import.meta.url));
const MARKED = /(<!-- cost -->\n).*(<!-- \/cost -->)/s;

/** What cannot be counted here is assumed, and the document says so. */
const ASSUMED = {
  /** Of one model call, while its worker waits. */
  modelSeconds: 2,
  modelConcurrency: 32,
  /** A caller looks every five seconds how far its run is. */
  pollSeconds: 5,
  /** Lambda itself writes START, END and REPORT lines. */
  platformLogBytes: 400,
  /** Step Functions writes two events of its log for each transition. */
  transitionLogBytes: 2 * 400,
  /** An item of the map is started and passes the four states of statemachines/map-chunks.asl.yaml. */
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

/** Carries rows through upload, adaptation, evaluation and download, as a client does. */
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

/** Bytes and number of indexes of every item, by its key. */
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

/** A write is billed by the kilobyte, twice in a transaction, and once more for every index that holds the item. */
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

/** A read is billed by four kilobytes, and half as much where it need not see the latest write. */
const readUnits = (reads: Requests['itemReads']): number =>
  reads.reduce(
    (sum, { bytes, isConsistent }) => sum + Math.max(1, Math.ceil(bytes / 4096)) * (isConsistent ? 1 : 0.5),
    0,
  );

/** States entered in all executions so far, but for those of the map's items, which the emulator keeps to itself. */
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

async function bucketBytes(bucket: string): Promise<number> {
  const client = new S3Client({ forcePathStyle: true });
  let bytes = 0;
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket })) {
    bytes += Contents.reduce((sum, { Size = 0 }) => sum + Size, 0);
  }
  client.destroy();
  return bytes;
}

/** What functions have logged so far, and the invocations that the lines tell of. */
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

async function startModel(): Promise<{ url: string; stop(): void }> {
  const script = join(repositoryRoot, 'test', 'helpers', 'scripted-model.ts');
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  await fetch(`${url.replace(/\/v1$/, '')}/_scripted/script`, {
    method: 'POST',
    body: JSON.stringify({ judge: 'fair' }),
  });
  return { url, stop: () => child.kill() };
}

async function measure(cloud: LocalCloud, take: () => Requests): Promise<Bill> {
  Object.assign(process.env, cloud.environment);
  // The first run measures the judge, which the second finds done.
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
    // The caller's own PUT of the file goes past the functions.
    objectWrite: requests.s3.put + requests.s3.list + 1,
    objectRead: requests.s3.get + 1,
    objectMonth: bytes / 1e9,
    secretRead: requests.others['secretsmanager GetSecretValue'] ?? 0,
    logGb: logBytes / 1e9,
    trace: invocations.length,
  };
}

const proxy = await startCountingProxy();
const model = await startModel();
try {
  const cloud = await startLocalCloud({
    model: { baseUrl: model.url, modelId: 'scripted', embeddingModelId: 'scripted-embedding' },
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
    const table = toTable(await measure(cloud, proxy.take));
    console.log(`\n${table}\n\nPrices: ${PRICES_SOURCE}.`);
    if (process.argv.includes('--docs')) {
      const document = await readFile(DOCUMENT, 'utf8');
      await writeFile(DOCUMENT, document.replace(MARKED, `$1${table}\n$2`));
    }
  } finally {
    await cloud.stop();
  }
} finally {
  model.stop();
  await proxy.stop();
}
