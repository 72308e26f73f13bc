import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Service, startService } from '#local/child.ts';
import { modelsDirectory, repositoryRoot, typescriptLoader } from '#local/paths.ts';

export interface TrainerOptions {
  readonly queueUrl: string;
  /** AWS address and credentials: `AWS_ENDPOINT_URL`, `AWS_REGION`, credentials. */
  readonly awsEnvironment: Readonly<Record<string, string>>;
  readonly logFile: string;
}

/**
 * Starts the embedded trainer in a separate process and waits until it takes jobs.
 * @throws {CommandError} if it does not start, with the end of its log.
 */
export async function startTrainer(options: TrainerOptions): Promise<Service> {
  const directory = dirname(fileURLToPath(import.meta.url));
  return startService({
    name: 'The trainer',
    command: process.execPath,
    args: ['--import', typescriptLoader, join(directory, 'worker.ts'), '--stop-with-parent'],
    environment: {
      ...process.env,
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      TUNESMITH_MODELS_DIR: modelsDirectory(),
      ...options.awsEnvironment,
      TRAINER_QUEUE_URL: options.queueUrl,
    },
    directory: repositoryRoot,
    logFile: options.logFile,
    isReady: async () =>
      existsSync(options.logFile) && readFileSync(options.logFile, 'utf8').includes('"ready"'),
    readyTimeoutSeconds: 60,
    stopTimeoutSeconds: 5,
  });
}
