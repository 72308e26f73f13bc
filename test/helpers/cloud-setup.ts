import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { runCommand } from '#local/child.ts';
import { localDirectory, repositoryRoot, typescriptLoader } from '#local/paths.ts';
import { findFreePort } from '#local/ports.ts';
import { startLocalCloud } from '#local/up.ts';
import { hostedTools } from './hosted-tools.ts';
import { type ScriptedHub, startScriptedHub } from './scripted-hub.ts';
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts';
import { type ScriptedSearch, startScriptedSearch } from './scripted-search.ts';
import { answerResult, type ScriptedToolServer, startScriptedToolServer } from './scripted-tool-server.ts';

/** Where the cloud of the tests is; `inject('cloud')` in a test. */
export interface TestCloud {
  readonly endpoint: string;
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
  /** For children of the tests: clients, the admin command and the AWS SDK find this cloud by it. */
  readonly environment: Readonly<Record<string, string>>;
}

declare module 'vitest' {
  interface ProvidedContext {
    cloud: TestCloud;
  }
}

/** A worker keeps 64 calls open at most. */
const FOUR_WORKERS = { MODEL_CONCURRENCY: '256', EMULATED_MAP_CONCURRENCY: '4' } as const;

/**
 * The real stacks on the emulator, under IAM enforcement, with a scripted model behind them: started once, on free
 * ports, for every test that is named `*.cloud.test.ts` or `*.long.test.ts`.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const model: ScriptedModel = await startScriptedModel({ judge: 'fair' });
  const {
    close: closeHub,
    allowed,
    huggingFaceUrl,
    kaggleUrl,
    googleSheetsUrl,
    storeUrl,
  } = await startScriptedHub();
  const search: ScriptedSearch = await startScriptedSearch();
  const toolServer = await startRevealingServer();
  const toolServerPorts = [await findFreePort(), await findFreePort()] as const;
  const stateDir = join(localDirectory, `test-${project.name}`);
  const toolCatalog = join(stateDir, 'tools.json');
  await mkdir(stateDir, { recursive: true });
  await writeFile(toolCatalog, JSON.stringify(hostedTools(toolServerPorts)));
  try {
    const cloud = await startLocalCloud({
      model: { baseUrl: model.url, modelId: 'scripted', embeddingModelId: 'scripted-embedding' },
      emulatorPort: 0,
      stateDir,
      fresh: true,
      skipBuild: true,
      waitScale: 0.1,
      settings: {
        ...(project.name === 'long' ? FOUR_WORKERS : { MODEL_CONCURRENCY: '16' }),
        EVALUATION_SAMPLE_ROWS: '40',
        SEARCH_BASE_URL: search.url,
        TOOL_CATALOG: toolCatalog,
        EGRESS_ALLOW: [
          ...allowed,
          toolServer.target,
          ...toolServerPorts.map((port) => `127.0.0.1:${port}`),
        ].join(','),
        HUGGINGFACE_BASE_URL: huggingFaceUrl,
        KAGGLE_BASE_URL: kaggleUrl,
        GOOGLE_SHEETS_BASE_URL: googleSheetsUrl,
        MODEL_SEES_IMAGES: 'true',
        MODEL_TIMEOUT_SECONDS: '5',
        MODEL_OUTAGE_SECONDS: '10',
      },
    });
    const { endpoint, apiUrl, apiKey, tableName, bucketName, environment } = cloud;
    const provided = {
      endpoint,
      apiUrl,
      apiKey,
      tableName,
      bucketName,
      modelUrl: model.url,
      hub: { huggingFaceUrl, kaggleUrl, googleSheetsUrl, storeUrl },
      searchUrl: search.url,
      toolServerUrl: toolServer.url,
      toolServerPorts,
      environment,
    };
    // Tests send more in a second than people do; those of the limits make plans of their own.
    const command = ['plan', 'set', 'default', '--requests-per-second', '10000'];
    await runCommand(process.execPath, ['--import', typescriptLoader, 'bin/admin.ts', ...command], {
      what: 'Setting the plan of the tests',
      directory: repositoryRoot,
      environment: { ...process.env, ...environment },
    });
    project.provide('cloud', provided);
    return async () => {
      await cloud.stop();
      await model.close();
      await closeHub();
      await search.close();
      await toolServer.close();
    };
  } catch (error) {
    await model.close();
    await closeHub();
    await search.close();
    await toolServer.close();
    throw error;
  }
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
