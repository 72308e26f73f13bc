import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Changes the port in the emulator's saved state. Queue URLs contain the port, in the state itself and in the deployed
 * environment variables, and the emulator looks queues up by URL: on another port no message would arrive.
 * @param stateDirectory the emulator's state, a JSON file for each service.
 */
export function moveStateToPort(stateDirectory: string, port: number): void {
  const queues = join(stateDirectory, 'sqs.json');
  if (!existsSync(queues)) return;
  const [, earlier] = /http:\/\/localhost:(\d+)\//.exec(readFileSync(queues, 'utf8')) ?? [];
  if (earlier === undefined || Number(earlier) === port) return;
  const address = new RegExp(`\\b(localhost|127\\.0\\.0\\.1):${earlier}(?=[/"])`, 'g');
  for (const name of readdirSync(stateDirectory)) {
    if (!name.endsWith('.json')) continue;
    const path = join(stateDirectory, name);
    const text = readFileSync(path, 'utf8');
    const moved = text.replace(address, `$1:${port}`);
    if (moved !== text) writeFileSync(path, moved);
  }
}
