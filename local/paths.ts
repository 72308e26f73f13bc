import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Root of this checkout. */
export const repositoryRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** Directory of all runtime files; ignored by git. */
export const localDirectory = join(repositoryRoot, '.local');

/** Directory of model weights. `TUNESMITH_MODELS_DIR` lets several checkouts share one copy. */
export function modelsDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  return environment.TUNESMITH_MODELS_DIR ?? join(localDirectory, 'models');
}

/**
 * Directory of the adapters that the model server serves, with a folder for each base model: `TUNESMITH_ADAPTERS_DIR`,
 * or else next to the state of a cloud.
 */
export function adaptersDirectory(
  stateDir: string = localDirectory,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  return environment.TUNESMITH_ADAPTERS_DIR ?? join(stateDir, 'adapters');
}

/**
 * The value of `node --import` for running TypeScript. Not `import.meta.resolve`, which test runners do not support.
 */
export const typescriptLoader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
