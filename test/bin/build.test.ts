import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as tar from 'tar';
import { expect, test } from 'vitest';
import { packTrainer } from '#bin/build.ts';

test('the trainer’s source bundle holds what SageMaker starts, and is the same bytes each time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bundle-'));
  try {
    const [first, second] = [join(folder, 'a', 'sourcedir.tar.gz'), join(folder, 'b', 'sourcedir.tar.gz')];
    await packTrainer(first);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await packTrainer(second);

    const names: string[] = [];
    await tar.list({ file: first, onReadEntry: ({ path }) => names.push(path) });
    expect(names).toEqual([...names].sort());
    expect(names).toEqual(
      expect.arrayContaining([
        'requirements.txt',
        'sagemaker_entry.py',
        'tunesmith_trainer/__init__.py',
        'tunesmith_trainer/worker.py',
      ]),
    );
    expect(names.every((name) => /^(requirements\.txt|sagemaker_entry\.py|.*\.py)$/.test(name))).toBe(true);
    expect((await readFile(first)).equals(await readFile(second))).toBe(true);
  } finally {
    await rm(folder, { recursive: true });
  }
});
