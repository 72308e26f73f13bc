import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportKind, Metafile } from 'esbuild';
import * as tar from 'tar';
import { describe, expect, test } from 'vitest';
import { packTrainer, requireWhole } from '#bin/build.ts';

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

/** What esbuild says of one bundle of two files. */
function metafileOf(left: string, input: string, inside: { kind: ImportKind; original: string }): Metafile {
  return {
    inputs: {
      [input]: { bytes: 9, imports: [{ path: 'other.ts', ...inside }] },
      'other.ts': { bytes: 9, imports: [] },
    },
    outputs: {
      'dist/api.a.b.mjs': {
        bytes: 18,
        inputs: { [input]: { bytesInOutput: 9 }, 'other.ts': { bytesInOutput: 9 } },
        imports: [{ path: left, kind: 'dynamic-import', external: true }],
        exports: ['handler'],
      },
    },
  };
}

describe('a bundle in one file', () => {
  const STATIC = { kind: 'import-statement', original: './other.ts' } as const;
  const EVENTS = 'unbundled:@smithy/core/event-streams';

  test('a bundle may lack the event streams of a client none of whose commands answers in them', () => {
    expect(() => requireWhole(metafileOf(EVENTS, 'shared/a.ts', STATIC))).not.toThrow();
    expect(() => requireWhole(metafileOf('node:http', 'shared/a.ts', STATIC))).not.toThrow();
  });

  test('a bundle that lacks the event streams of a command which answers in them fails the build', () => {
    const command = 'node_modules/@aws-sdk/client-s3/dist-es/commands/SelectObjectContentCommand.js';

    expect(() => requireWhole(metafileOf(EVENTS, command, STATIC))).toThrow(
      'api.a.b.mjs loads @smithy/core/event-streams by need: list the function in LOADING_BY_NEED.',
    );
  });

  test('a bundle that lacks a file of the service fails the build', () => {
    expect(() => requireWhole(metafileOf('unbundled:./adapters/x.ts', 'shared/a.ts', STATIC))).toThrow(
      'api.a.b.mjs loads ./adapters/x.ts by need',
    );
  });

  test('a bundle that holds what it loads by need fails the build', () => {
    const byNeed = { kind: 'dynamic-import', original: '#shared/other.ts' } as const;

    expect(() => requireWhole(metafileOf('node:http', 'shared/a.ts', byNeed))).toThrow(
      'shared/a.ts loads #shared/other.ts by need: name that in LOADED_BY_NEED.',
    );
  });
});
