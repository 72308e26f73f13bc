import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Root of this checkout. */
export const repositoryRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** Where everything that is made at run time lives; ignored by git. */
export const localDirectory = join(repositoryRoot, '.local');

/**
 * Where model weights are kept. `TUNESMITH_MODELS_DIR` lets several checkouts share one copy.
 */
export function modelsDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  return environment.TUNESMITH_MODELS_DIR ?? join(localDirectory, 'models');
}

/**
 * Where adapters lie that the model server serves, in a folder of each base model: `TUNESMITH_ADAPTERS_DIR`, or else
 * beside the state of a cloud.
 */
export function adaptersDirectory(
  stateDir: string = localDirectory,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  return environment.TUNESMITH_ADAPTERS_DIR ?? join(stateDir, 'adapters');
}

/**
 * What `node --import` takes to run TypeScript. Not `import.meta.resolve`, which test runners do not have.
 */
export const typescriptLoader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
