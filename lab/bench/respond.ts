import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { bundlePath, functionName } from '#infra/names.ts';
import { localDirectory, repositoryRoot } from '#local/paths.ts';
import { type StreamingFunction, startStreamingFunction } from '#local/streaming-function.ts';
import { type LocalCloud, startLocalCloud } from '#local/up.ts';
import { createAccessAdministration } from '#shared/access/store/access.ts';
import { callerToContext } from '#shared/platform/access/caller.ts';
import { DEFAULT_PLAN } from '#shared/platform/schema/plan.ts';
import { SCOPES } from '#shared/platform/schema/scope.ts';
import { createTable } from '#shared/platform/store/table.ts';
import type { BenchCloud } from './benchmark.ts';
import { median } from './median.ts';
import { startInstantModel } from './row-worker.ts';

const MODEL = 'instant';
const FUNCTION = 'api/responses/create';
const CHAT_FUNCTION = 'api/chat/completions/create';
const LATENCY_MS = 300;
const PAUSE_MS = 10;
const WORDS = 100;

export interface RespondBench {
  /** Medians, in milliseconds: time to first token, and total time. */
  readonly direct: { readonly first: number; readonly whole: number };
  readonly service: { readonly first: number; readonly whole: number };
  /** The same answer as a chat completion. */
  readonly chat: { readonly first: number; readonly whole: number };
  /** Concurrent streams in which every token arrived once and in order. */
  readonly intact: number;
  readonly streams: number;
  /** Milliseconds until the last of them ended. */
  readonly togetherMilliseconds: number;
}

export interface RespondBenchOptions {
  readonly repetitions?: number;
  readonly warmUps?: number;
  readonly streams?: number;
  /** A deployed cloud to use; by default a new one is started. */
  readonly cloud?: BenchCloud;
}

/**
 * The overhead of the service over a model: the deployed function under a streaming runtime, with its table on the
 * emulator, compared in turns with direct calls of the same model.
 */
export async function benchRespond({
  repetitions = 30,
  warmUps = 5,
  streams = 50,
  cloud: given,
}: RespondBenchOptions = {}): Promise<RespondBench> {
  const model = await startInstantModel('--latency', LATENCY_MS, '--words', WORDS, '--pause', PAUSE_MS);
  const own = given === undefined ? await startCloud(model.url) : null;
  try {
    const cloud = given ?? (own as LocalCloud);
    await using running = await startAnswering(cloud, FUNCTION, model.url);
    await using chatting = await startAnswering(cloud, CHAT_FUNCTION, model.url);
    const messages = [{ role: 'user', content: 'Count.' }];
    const direct = () => timeStream(`${model.url}/chat/completions`, { messages });
    const chat = () => timeStream(chatting.url, { messages, max_tokens: 400 });
    const service = () => timeStream(running.url, { input: 'Count.', max_output_tokens: 400 });
    // Warm up as in a warm function: connections, keys and the first block of credits.
    for (let n = 0; n < warmUps; n += 1) await Promise.all([direct(), service(), chat()]);
    const times = { direct: [] as Timed[], service: [] as Timed[], chat: [] as Timed[] };
    for (let n = 0; n < repetitions; n += 1) {
      times.direct.push(await direct());
      // In turns: what is measured behind another is slower on a busy machine.
      if (n % 2 === 0) times.chat.push(await chat());
      times.service.push(await service());
      if (n % 2 === 1) times.chat.push(await chat());
    }
    const started = performance.now();
    const together = await Promise.all(Array.from({ length: streams }, service));
    const whole = Array.from({ length: WORDS }, (_, n) => `word${n} `).join('');
    return {
      direct: mediansOf(times.direct),
      service: mediansOf(times.service),
      chat: mediansOf(times.chat),
      intact: together.filter(({ text }) => text === whole).length,
      streams,
      togetherMilliseconds: performance.now() - started,
    };
  } finally {
    await own?.stop();
    await model.stop();
  }
}

const startCloud = (modelUrl: string): Promise<LocalCloud> =>
  startLocalCloud({
    model: { baseUrl: modelUrl, modelId: MODEL, embeddingModelId: MODEL },
    trainer: false,
    emulatorPort: 0,
    stateDir: join(localDirectory, 'bench-respond'),
    fresh: true,
    quiet: true,
  });

/** Starts a deployed function with the environment that it has in a cloud, for its team `local` and another model. */
async function startAnswering(cloud: BenchCloud, id: string, modelUrl: string): Promise<StreamingFunction> {
  const { environment } = cloud;
  const connection = {
    region: environment.AWS_REGION ?? '',
    endpoint: cloud.endpoint,
    credentials: {
      accessKeyId: environment.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: environment.AWS_SECRET_ACCESS_KEY ?? '',
    },
  };
  const access = createAccessAdministration(createTable(cloud.tableName, new DynamoDBClient(connection)));
  const team = await access.findTeamByName('local');
  if (team === null) throw new Error('The local cloud has no team.');
  const { Environment: deployed } = await new LambdaClient(connection).send(
    new GetFunctionConfigurationCommand({ FunctionName: functionName('local', id) }),
  );
  const caller = {
    organization_id: team.organization_id,
    team_id: team.team_id,
    user_id: '00000000-0000-4000-8000-000000000000',
    key_id: 'bench',
    scopes: [...SCOPES],
    plan: { ...DEFAULT_PLAN, requests_per_second: 10_000, response_tokens_per_minute: 1_000_000_000 },
  };
  return startStreamingFunction(join(bundlePath(join(repositoryRoot, 'dist'), id), 'index.mjs'), {
    ...deployed?.Variables,
    ...environment,
    MODEL_BASE_URL: modelUrl,
    HOSTED_MODELS: JSON.stringify([{ id: MODEL }]),
    MODEL_CONCURRENCY: '64',
    AUTHORIZER_CONTEXT: JSON.stringify(callerToContext(caller)),
  });
}

interface Timed {
  readonly first: number;
  readonly whole: number;
  readonly text: string;
}

/** Streams a response of either kind, and returns the times of its first token and its end. */
async function timeStream(url: string, body: object): Promise<Timed> {
  const started = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, stream: true, ...body }),
  });
  if (!response.ok || response.body === null) {
    throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  }
  let first: number | null = null;
  let stream = '';
  const decoder = new TextDecoder();
  for await (const part of response.body) {
    stream += decoder.decode(part, { stream: true });
    if (first === null && stream.includes('"word0 "')) first = performance.now() - started;
  }
  const text = [...stream.matchAll(/"(?:delta|content)":"(word\d+ )"/g)].map(([, word]) => word).join('');
  return { first: first ?? Number.NaN, whole: performance.now() - started, text };
}

const mediansOf = (times: readonly Timed[]): { first: number; whole: number } => ({
  first: median(times.map(({ first }) => first)),
  whole: median(times.map(({ whole }) => whole)),
});
