import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { runCommand } from '#local/child.ts';
import { localDirectory, repositoryRoot, typescriptLoader } from '#local/paths.ts';
import { findFreePort } from '#local/ports.ts';
import { startLocalCloud } from '#local/up.ts';
import { hostedTools } from './hosted-tools.ts';
import { PAGE_ORIGIN } from './page-origin.ts';
import { STANDARD_SCRIPT } from './scripted-control.ts';
import { type ScriptedHub, startScriptedHub } from './scripted-hub.ts';
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts';
import { type ScriptedSearch, startScriptedSearch } from './scripted-search.ts';
import { answerResult, type ScriptedToolServer, startScriptedToolServer } from './scripted-tool-server.ts';

/** Where a cloud of the tests is; `testCloud()` in a test. */
export interface TestCloud {
  readonly endpoint: string;
  /** Where its state and logs are. */
  readonly stateDirectory: string;
  /** Base URL of the API, with its stage. */
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly tableName: string;
  readonly bucketName: string;
  /** Address of the scripted model that the stacks call, ending in `/v1`. */
  readonly modelUrl: string;
  /** Stand-ins for the providers of imports; `putAtHub` keeps files there. */
  readonly hub: Pick<ScriptedHub, 'huggingFaceUrl' | 'kaggleUrl' | 'googleSheetsUrl' | 'storeUrl'>;
  /** Address of the scripted web search that the stacks ask. */
  readonly searchUrl: string;
  /**
   * A tool server that the stacks may reach. Its tool `reveal` answers the `Authorization` that it was sent, and `echo`
   * its arguments as JSON.
   */
  readonly toolServerUrl: string;
  /**
   * Ports of this machine that the stacks let tool servers be at, those of callers and those of the catalog; tests start
   * such servers there.
   */
  readonly toolServerPorts: readonly [number, number];
  /** A free port that webhooks may reach. */
  readonly receiverPort: number;
  /** For children of the tests: clients, the admin command and the AWS SDK find this cloud by it. */
  readonly environment: Readonly<Record<string, string>>;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** One for each worker. */
    clouds: readonly TestCloud[];
  }
}

/** A worker keeps 64 calls open at most. */
const FOUR_WORKERS = { MODEL_CONCURRENCY: '256', EMULATED_MAP_CONCURRENCY: '4' } as const;

interface RunningCloud {
  readonly cloud: TestCloud;
  stop(): Promise<void>;
}

/**
 * The real stacks on the emulator, under IAM enforcement, with a scripted model behind them: started once, on free
 * ports, for each worker that runs tests named `*.cloud.test.ts` or `*.long.test.ts`. Files that run at the same time
 * share no emulator and no model, so that none meets the faults that another one scripts.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const started = await Promise.allSettled(
    Array.from({ length: await workersOf(project) }, (_, n) => startCloud(project.name, n)),
  );
  const running = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const stop = async () => {
    await Promise.all(running.map((each) => each.stop()));
  };
  const failed = started.find((each) => each.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  project.provide(
    'clouds',
    running.map(({ cloud }) => cloud),
  );
  return stop;
}

/** As many as the project may have, and no more than there are files to run. */
async function workersOf(project: TestProject): Promise<number> {
  const { filenamePattern } = project.vitest as unknown as { readonly filenamePattern?: string[] };
  const { testFiles } = await project.globTestFiles(filenamePattern);
  return Math.max(1, Math.min(Number(project.config.maxWorkers), testFiles.length));
}

/** What was started, newest first to stop. */
type Stops = (() => Promise<void>)[];

async function startCloud(projectName: string, n: number): Promise<RunningCloud> {
  const stops: Stops = [];
  const stop = async () => {
    for (const each of stops.reverse().splice(0)) await each();
  };
  try {
    return { cloud: await startParts(`test-${projectName}-${n + 1}`, projectName === 'long', stops), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(name: string, isLong: boolean, stops: Stops): Promise<TestCloud> {
  const model: ScriptedModel = await startScriptedModel(STANDARD_SCRIPT);
  stops.push(() => model.close());
  const hub = await startScriptedHub();
  stops.push(() => hub.close());
  const search: ScriptedSearch = await startScriptedSearch();
  stops.push(() => search.close());
  const toolServer = await startRevealingServer();
  stops.push(() => toolServer.close());
  const toolServerPorts = [await findFreePort(), await findFreePort()] as const;
  const receiverPort = await findFreePort();
  const stateDir = join(localDirectory, name);
  const toolCatalog = join(stateDir, 'tools.json');
  await mkdir(stateDir, { recursive: true });
  await writeFile(toolCatalog, JSON.stringify(hostedTools(toolServerPorts)));
  const { allowed, huggingFaceUrl, kaggleUrl, googleSheetsUrl, storeUrl } = hub;
  const cloud = await startLocalCloud({
    model: { baseUrl: model.url, modelId: 'scripted', embeddingModelId: 'scripted-embedding' },
    emulatorPort: 0,
    stateDir,
    fresh: true,
    skipBuild: true,
    waitScale: 0.1,
    settings: {
      ...(isLong ? FOUR_WORKERS : { MODEL_CONCURRENCY: '16' }),
      EVALUATION_SAMPLE_ROWS: '40',
      SEARCH_BASE_URL: search.url,
      TOOL_CATALOG: toolCatalog,
      EGRESS_ALLOW: [
        ...allowed,
        toolServer.target,
        ...[...toolServerPorts, receiverPort].map((port) => `127.0.0.1:${port}`),
      ].join(','),
      HUGGINGFACE_BASE_URL: huggingFaceUrl,
      KAGGLE_BASE_URL: kaggleUrl,
      GOOGLE_SHEETS_BASE_URL: googleSheetsUrl,
      CORS_ORIGINS: PAGE_ORIGIN,
      MODEL_SEES_IMAGES: 'true',
      MODEL_BATCH_JOBS: 'true',
      MODEL_TIMEOUT_SECONDS: '3',
      // Several timeouts in a row: on a busy machine one answer comes late right after one that never comes.
      MODEL_OUTAGE_SECONDS: '15',
    },
  });
  stops.push(() => cloud.stop());
  const { endpoint, apiUrl, apiKey, tableName, bucketName, environment } = cloud;
  // Tests send more in a second than people do; those of the limits make plans of their own.
  const command = ['plan', 'set', 'default', '--requests-per-second', '10000'];
  await runCommand(process.execPath, ['--import', typescriptLoader, 'bin/admin.ts', ...command], {
    what: 'Setting the plan of the tests',
    directory: repositoryRoot,
    environment: { ...process.env, ...environment },
  });
  return {
    endpoint,
    stateDirectory: stateDir,
    apiUrl,
    apiKey,
    tableName,
    bucketName,
    modelUrl: model.url,
    hub: { huggingFaceUrl, kaggleUrl, googleSheetsUrl, storeUrl },
    searchUrl: search.url,
    toolServerUrl: toolServer.url,
    toolServerPorts,
    receiverPort,
    environment,
  };
}

async function startRevealingServer(): Promise<ScriptedToolServer> {
  const server = await startScriptedToolServer();
  server.tools.push({
    name: 'reveal',
    description: 'Says what it was sent',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  });
  server.behaviours.set('tools/call', (response, message, headers) => {
    const { name, arguments: args } = message.params ?? {};
    const text = name === 'reveal' ? String(headers.authorization) : JSON.stringify(args);
    answerResult(response, message, { content: [{ type: 'text', text }] });
  });
  return server;
}
