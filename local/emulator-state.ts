import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Gives the emulator's saved state another port. URLs of queues hold the port, in the state itself and in all that was
 * deployed with them, and a queue is looked up by its URL: on another port no message would ever arrive.
 * @param stateDirectory where the emulator saves its state, a JSON file for each service.
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
