import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '#local/child.ts';
import { repositoryRoot, typescriptLoader } from '#local/paths.ts';
import type { LocalCloud } from '#local/up.ts';
import { createServiceClient, uploadFile } from './service-client.ts';

const sample = fileURLToPath(new URL('../examples/data/careless-answers.csv', import.meta.url));

/**
 * Loads a sample dataset and the starter pool into a local cloud that lacks them.
 * @returns a line for each loaded item.
 * @throws {Error} if the service rejects one, or there is no embedding model.
 */
export async function loadSamples(cloud: LocalCloud): Promise<string[]> {
  const lines: string[] = [];
  // Next to the emulator's state, so that deleting the state also resets this.
  const folder = join(dirname(cloud.envFile), 'emulator');
  if (!existsSync(folder)) return lines;
  const once = async (name: string, load: () => Promise<string>) => {
    const marker = join(folder, `loaded-${name}`);
    if (existsSync(marker)) return;
    lines.push(await load());
    writeFileSync(marker, '');
  };
  await once(
    'sample',
    async () =>
      `Loaded a sample dataset of careless answers: ${await uploadFile(createServiceClient(cloud), sample)}`,
  );
  if (process.env.MODEL_BASE_URL && !process.env.MODEL_ID_EMBED) {
    return [
      ...lines,
      'Augmenting from the starter pool is off: MODEL_ID_EMBED names no embedding model. Everything else works.',
    ];
  }
  await once('pool', async () => {
    const text = await runCommand(
      process.execPath,
      ['--import', typescriptLoader, join(repositoryRoot, 'bin', 'admin.ts'), 'pool', 'load'],
      {
        what: 'Loading the starter pool (npm run admin -- pool load)',
        environment: { ...process.env, ...cloud.environment },
        directory: repositoryRoot,
      },
    );
    return `Loaded the starter pool, of which datasets are augmented: ${text.trim().split('\n').at(-1) ?? ''}`;
  });
  return lines;
}
