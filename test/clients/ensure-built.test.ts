import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { repositoryRoot } from '#local/paths.ts';

/** Notes how often it was built, and of two files. */
const BUILD = `
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const count = existsSync('count') ? Number(readFileSync('count', 'utf8')) + 1 : 1;
writeFileSync('count', String(count));
mkdirSync('clients/typescript/dist/esm/cli', { recursive: true });
writeFileSync('clients/typescript/dist/esm/cli/main.js', 'console.log(' + count + ')');
const inputs = ['clients/typescript/src/index.ts', 'shared/rows.ts'];
writeFileSync('clients/typescript/dist/inputs.json', JSON.stringify({ began_at: Date.now(), inputs }));
`;

let root: string;
const file = (path: string) => join(root, path);
const later = new Date(Date.now() + 60_000);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'checkout-'));
  for (const folder of ['clients/typescript/src', 'shared']) await mkdir(file(folder), { recursive: true });
  for (const path of ['bin', 'ensure-built.mjs'])
    await cp(join(repositoryRoot, 'clients/typescript', path), file(`clients/typescript/${path}`), {
      recursive: true,
    });
  await writeFile(file('clients/typescript/build.mjs'), BUILD);
  for (const name of ['typescript', 'esbuild']) {
    await mkdir(file(`node_modules/${name}`), { recursive: true });
    await writeFile(file(`node_modules/${name}/package.json`), '{}');
    await writeFile(file(`node_modules/${name}/index.js`), '');
  }
  for (const path of ['clients/typescript/src/index.ts', 'shared/rows.ts']) {
    await writeFile(file(path), '');
    await utimes(file(path), 0, 0);
  }
});

afterEach(() => rm(root, { recursive: true }));

async function run(): Promise<{ stdout: string; stderr: string }> {
  const bin = file('clients/typescript/bin/tunesmith.mjs');
  return await promisify(execFile)(process.execPath, [bin], { cwd: root });
}

/** Which build the command line is of. */
const built = async (): Promise<number> => Number((await run()).stdout);

test('the command line of a checkout is built at its first use, and again after a file changed, came or went', async () => {
  expect([await built(), await built()]).toEqual([1, 1]);

  await utimes(file('shared/rows.ts'), later, later);
  expect(await built()).toBe(2);
  await utimes(file('shared/rows.ts'), 0, 0);
  expect(await built()).toBe(2);
  await rm(file('shared/rows.ts'));
  expect(await built()).toBe(3);
  await writeFile(file('shared/rows.ts'), '');
  await utimes(file('shared/rows.ts'), 0, 0);
  await writeFile(file('clients/typescript/src/new.ts'), '');
  expect(await built()).toBe(4);
});

test('the command line of a checkout that cannot be built stays the one that was built before', async () => {
  await built();
  await utimes(file('shared/rows.ts'), later, later);
  await rm(file('node_modules'), { recursive: true });

  expect(await run()).toEqual({
    stdout: '1\n',
    stderr: expect.stringMatching(/older than this checkout.*its packages are not installed \(npm ci\)/),
  });
});

test('the command line of a published package is not built', async () => {
  await built();
  await rm(file('clients/typescript/ensure-built.mjs'));
  await utimes(file('shared/rows.ts'), later, later);

  expect(await built()).toBe(1);
});
