import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { repositoryRoot, typescriptLoader } from '#local/paths.ts';

/** Model names of the scripted model. */
export const SCRIPTED = { text: 'scripted', embedding: 'scripted-embedding' } as const;

/** The rule-based model of the tests, without latency, in a separate process. */
export async function startScriptedModel(): Promise<{ readonly url: string; stop(): void }> {
  const script = join(repositoryRoot, 'test', 'helpers', 'scripted-model.ts');
  const child = spawn(process.execPath, ['--import', typescriptLoader, script], {
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
