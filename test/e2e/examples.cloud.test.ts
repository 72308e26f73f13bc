import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { runCommand } from '#local/child.ts';
import { repositoryRoot } from '#local/paths.ts';
import { runPython } from '#test/helpers/run-python.ts';

const cloud = inject('cloud');
const folder = join(repositoryRoot, 'examples');
const examples = readdirSync(folder).filter((name) => /^\d\d-/.test(name));

test('there are examples', () => expect(examples.length).toBeGreaterThanOrEqual(3));

test.concurrent.each(examples)('%s does what it says on a running installation', async (name) => {
  if (name.endsWith('.py')) {
    const { code, output } = await runPython([join(folder, name)], cloud.environment);
    expect(code, output).toBe(0);
    return;
  }
  await runCommand(process.execPath, ['--import', import.meta.resolve('tsx'), join(folder, name)], {
    what: name,
    directory: repositoryRoot,
    environment: { ...process.env, ...cloud.environment },
  });
});
