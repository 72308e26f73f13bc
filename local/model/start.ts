import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answersHttp, type Service, startService } from '../child.ts';
import { adaptersDirectory, modelsDirectory, repositoryRoot, typescriptLoader } from '../paths.ts';
import { isPortFree, loopback, portInUseMessage } from '../ports.ts';

export const defaultModelPort = 11_435;
export const modelPortVariable = 'TUNESMITH_MODEL_PORT';

export interface ModelServerOptions {
  readonly models: readonly string[];
  readonly port: number;
  readonly logFile: string;
  /** Additional server settings, as environment variables. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface ModelServer {
  /** OpenAI base URL; ends in /v1. */
  readonly baseUrl: string;
  readonly pid: number;
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/** OpenAI base URL of a model server on this machine. */
export function modelServerUrl(port: number): string {
  return `http://${loopback}:${port}/v1`;
}

/**
 * Starts the model server in a separate process and waits until its models are loaded.
 * @throws {Error} if its port is taken, or it does not start (for example without the model's weights).
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const { port } = options;
  if (!(await isPortFree(port))) throw new Error(portInUseMessage('model server', port, modelPortVariable));
  const directory = dirname(fileURLToPath(import.meta.url));
  const service: Service = await startService({
    name: 'The model server',
    command: process.execPath,
    args: ['--import', typescriptLoader, join(directory, 'server.ts'), '--stop-with-parent'],
    environment: {
      ...process.env,
      TUNESMITH_MODELS_DIR: modelsDirectory(),
      TUNESMITH_ADAPTERS_DIR: adaptersDirectory(),
      ...options.settings,
      [modelPortVariable]: String(port),
      TUNESMITH_MODELS: options.models.join(','),
    },
    directory: repositoryRoot,
    logFile: options.logFile,
    isReady: () => answersHttp(`http://${loopback}:${port}/health`),
    readyTimeoutSeconds: 180,
    stopTimeoutSeconds: 5,
  });
  return {
    baseUrl: modelServerUrl(port),
    pid: service.pid,
    ended: service.ended,
    stop: service.stop,
  };
}
