import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Runs the simulator in a process of its own: it takes the clock of its process over. */
async function simulated(...given: readonly string[]): Promise<string> {
  const program = ['--import', 'tsx', 'test/simulation/simulate.ts', ...given];
  const { stdout } = await promisify(execFile)(process.execPath, program, { maxBuffer: 1e8 });
  return stdout;
}

test('ten simulations of the service break no invariant', { timeout: 1_800_000 }, async () => {
  const said = await simulated('--seeds', '1-10', '--people', '2', '--no-shrink');

  expect(said.match(/: sound;/g)).toHaveLength(10);
});

test('a simulation is what its seed is, whatever its process has done before', {
  timeout: 900_000,
}, async () => {
  const fingerprintOf = (said: string): string | undefined => /seed 12: .* fingerprint (\w+)/.exec(said)?.[1];
  const [alone, after] = await Promise.all([simulated('--seed', '12'), simulated('--seeds', '11-12')]);

  expect(fingerprintOf(alone)).toMatch(/^[0-9a-f]{8}$/);
  expect(fingerprintOf(after)).toBe(fingerprintOf(alone));
});
