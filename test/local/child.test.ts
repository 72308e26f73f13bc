import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommand, type ServiceOptions, startService } from '#local/child.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tunesmith-child-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const service = (script: string, isReady: () => boolean): ServiceOptions => ({
  name: 'The service',
  command: 'sh',
  args: ['-c', script],
  environment: process.env,
  directory,
  logFile: join(directory, 'logs', 'service.log'),
  isReady: async () => isReady(),
  readyTimeoutSeconds: 5,
  stopTimeoutSeconds: 5,
});

const log = () => readFileSync(join(directory, 'logs', 'service.log'), 'utf8');
const exists = (pid: number) =>
  spawnSync('ps', ['-o', 'stat=', '-p', String(pid)])
    .stdout.toString()
    .trim();

it('a command gives its stdout', async () => {
  const output = await runCommand('sh', ['-c', 'echo out; echo err >&2'], {
    what: 'It',
    environment: process.env,
  });

  expect(output).toBe('out\n');
});

it('a command fails with what it wrote and what can be done', async () => {
  const failing = runCommand('sh', ['-c', 'echo broken >&2; exit 3'], {
    what: 'It',
    environment: process.env,
    hint: 'Mend it.',
  });

  await expect(failing).rejects.toThrow('It failed (exit status 3).\nbroken\nMend it.');
});

it('a command fails where the program does not exist', async () => {
  const missing = runCommand('no-such-program', [], { what: 'It', environment: process.env });

  await expect(missing).rejects.toThrow(/It failed \(cannot be started: .*ENOENT/);
});

it('a service takes its whole process group along when it stops', async () => {
  const running = await startService(service('sleep 60 & echo $!; wait', () => /^\d+\n/.test(log())));
  const grandchild = Number(log());

  await running.stop();

  expect(await running.ended).toBe('ended by SIGTERM');
  await expect.poll(() => exists(grandchild)).toMatch(/^(|Z.*)$/);
});

it('a service has its stdin closed when its parent is killed', async () => {
  const parent = `
      import { startService } from ${JSON.stringify(new URL('../../local/child.ts', import.meta.url).href)};
      const { pid } = await startService({ ...${JSON.stringify(service('cat >/dev/null; echo gone', () => true))}, environment: process.env, isReady: async () => true });
      process.kill(process.pid, 'SIGKILL');
    `;

  const { signal } = spawnSync(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', parent],
    { encoding: 'utf8' },
  );

  expect(signal).toBe('SIGKILL');
  await expect.poll(log).toBe('gone\n');
});

it('a service fails with its log when it ends before it is ready', async () => {
  const failing = startService(service('echo no weights; exit 1', () => false));

  await expect(failing).rejects.toThrow(/The service failed \(exit status 1\)\.\nno weights\n.*service\.log/);
});

it('a service is stopped and reported when it is not ready in time', async () => {
  const failing = startService({ ...service('sleep 60', () => false), readyTimeoutSeconds: 0.1 });

  await expect(failing).rejects.toThrow('not ready after 0.1 s');
});
