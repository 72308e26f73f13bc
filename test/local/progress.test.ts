import { expect, it, vi } from 'vitest';
import { createProgress } from '#local/progress.ts';

function record(isTTY: boolean) {
  let text = '';
  let clock = 0;
  const output = {
    isTTY,
    write: (piece: string) => {
      text += piece;
    },
  };
  return {
    progress: createProgress(output, () => clock),
    pass: (seconds: number) => {
      clock += seconds * 1000;
    },
    written: () => text,
  };
}

it('progress prints one line for a step, with the seconds that it took', async () => {
  const { progress, pass, written } = record(false);

  const result = await progress.step('Build', async () => {
    pass(2.25);
    return 'built';
  });

  expect([result, written()]).toEqual(['built', '   2.3 s  Build\n']);
});

it('progress says of a failed step that it failed, and passes the error on', async () => {
  const { progress, written } = record(false);

  await expect(progress.step('Build', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(written()).toBe('   0.0 s  Build: failed\n');
});

it('progress says how far it is at most every ten seconds where lines cannot be overwritten', async () => {
  const { progress, pass, written } = record(false);

  await progress.step('Fetch', async (detail) => {
    for (let second = 0; second < 25; second += 1) {
      pass(1);
      detail(`${second}`);
    }
  });

  expect(written().split('\n')).toEqual(['  10.0 s  Fetch: 9', '  20.0 s  Fetch: 19', '  25.0 s  Fetch', '']);
});

it('progress repeats what a step said last while it says nothing more', async () => {
  vi.useFakeTimers();
  try {
    const { progress, pass, written } = record(false);

    await progress.step('Adapt', async (detail) => {
      detail('4 of 12');
      pass(11);
      await vi.advanceTimersByTimeAsync(1_000);
      pass(3);
      await vi.advanceTimersByTimeAsync(1_000);
    });

    expect(written().split('\n')).toEqual(['  11.0 s  Adapt: 4 of 12', '  14.0 s  Adapt', '']);
  } finally {
    vi.useRealTimers();
  }
});

it('progress overwrites its line on a terminal', async () => {
  const { progress, written } = record(true);

  await progress.step('Fetch', async (detail) => detail('half'));

  expect(written().split('\r\u001b[2K')).toEqual([
    '',
    '   0.0 s  Fetch: …',
    '   0.0 s  Fetch: half',
    '   0.0 s  Fetch\n',
  ]);
});
