import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CHECKPOINT_ROWS,
  LAST_START_SECONDS,
  type RowsJob,
  type RowsOutcome,
  runRows,
} from '#shared/runs/run-rows.ts';
import { createRowObjects, type RowObjects } from '#test/helpers/row-objects.ts';
import { createVirtualClock, type VirtualClock } from '#test/helpers/virtual-clock.ts';

interface Done {
  readonly row: number;
  readonly text: string;
}

const FIRST_ROW = 1000;

function linesOf(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `line ${n}`);
}

function jobOf(
  clock: VirtualClock,
  objects: RowObjects,
  overrides: Partial<RowsJob<Done>> = {},
): RowsJob<Done> {
  return {
    lines: linesOf(60),
    firstRow: FIRST_ROW,
    process: async (line, row) => ({ row, text: line.toUpperCase() }),
    parse: (value) => value as Done,
    concurrency: 4,
    objects,
    resultKey: 'run/results/0.jsonl',
    checkpointPrefix: 'run/checkpoints/0/',
    attempt: 'a',
    clock,
    deadlineMs: clock.now() + 900_000,
    ...overrides,
  };
}

function storedRows(body: string | undefined): number[] {
  return (body ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as Done).row);
}

function checkpointedRows(objects: RowObjects): number[] {
  return [...objects.contents]
    .filter(([key]) => key.includes('checkpoints'))
    .flatMap(([, body]) => storedRows(body));
}

const ALL_ROWS = Array.from({ length: 60 }, (_, n) => FIRST_ROW + n);

it('running rows writes one result a row, in order, however the rows end', async () => {
  const clock = createVirtualClock();
  const objects = createRowObjects();
  const job = jobOf(clock, objects, {
    process: async (line, row) => {
      await clock.sleep(((row * 7919) % 13) * 100);
      return { row, text: line };
    },
  });

  const outcome = await clock.run(runRows(job));

  expect(outcome.status).toBe('finished');
  expect(storedRows(objects.contents.get('run/results/0.jsonl'))).toEqual(ALL_ROWS);
});

it('running rows works on as many rows at once as it may, and no more', async () => {
  const clock = createVirtualClock();
  let inWork = 0;
  let inWorkMax = 0;
  const job = jobOf(clock, createRowObjects(), {
    process: async (line, row) => {
      inWork += 1;
      inWorkMax = Math.max(inWorkMax, inWork);
      await clock.sleep(10);
      inWork -= 1;
      return { row, text: line };
    },
  });

  await clock.run(runRows(job));

  expect(inWorkMax).toBe(4);
});

it('running rows checkpoints every 25 rows, and slower rows every 5 s', async () => {
  const clock = createVirtualClock();
  const objects = createRowObjects();
  const quick = runRows(jobOf(clock, objects));
  await clock.run(quick);
  const sizes = [...objects.contents]
    .filter(([key]) => key.includes('checkpoints'))
    .map(([, body]) => storedRows(body).length);
  const slow = createRowObjects();
  const process = async (line: string, row: number) => {
    await clock.sleep(2000);
    return { row, text: line };
  };
  void runRows(jobOf(clock, slow, { process, lines: linesOf(40) }));
  await clock.advance(5_001);

  expect(sizes).toEqual([CHECKPOINT_ROWS, CHECKPOINT_ROWS]);
  expect(checkpointedRows(slow)).toHaveLength(8);
});

it('running rows puts as many rows into a checkpoint as are in progress, if those are more than 25', async () => {
  const clock = createVirtualClock();
  const objects = createRowObjects();

  await clock.run(runRows(jobOf(clock, objects, { lines: linesOf(100), concurrency: 40 })));

  const sizes = [...objects.contents]
    .filter(([key]) => key.includes('checkpoints'))
    .map(([, body]) => storedRows(body).length);
  expect(sizes).toEqual([40, 40]);
});

it('running rows answers a finished chunk from its result without processing anything', async () => {
  const clock = createVirtualClock();
  const objects = createRowObjects();
  await clock.run(runRows(jobOf(clock, objects)));
  const process = () => Promise.reject(new Error('must not be asked'));

  const again = await runRows(jobOf(clock, objects, { process, attempt: 'b' }));

  expect(again).toMatchObject({ status: 'finished' });
  const results = again.status === 'finished' ? again.results : [];
  expect(results.map(({ row }) => row)).toEqual(ALL_ROWS);
});

it('running rows begins no row in the last 90 s, checkpoints those in work and says that it is unfinished', async () => {
  const clock = createVirtualClock();
  const objects = createRowObjects();
  const begun: number[] = [];
  const deadlineMs = clock.now() + (LAST_START_SECONDS + 35) * 1000;
  const process = async (line: string, row: number) => {
    begun.push(clock.now());
    await clock.sleep(10_000);
    return { row, text: line };
  };

  const outcome = await clock.run(runRows(jobOf(clock, objects, { process, deadlineMs })));

  expect(outcome).toMatchObject({ status: 'unfinished', progress: { rowsDone: 16, rowsTotal: 60 } });
  expect(Math.max(...begun)).toBeLessThanOrEqual(deadlineMs - LAST_START_SECONDS * 1000);
  expect(checkpointedRows(objects)).toHaveLength(16);
  expect(objects.contents.has('run/results/0.jsonl')).toBe(false);
});

it('running rows begins no row at all when it is invoked too late', async () => {
  const clock = createVirtualClock();
  const process = () => Promise.reject(new Error('must not be asked'));
  const deadlineMs = clock.now() + LAST_START_SECONDS * 1000;

  const outcome = await clock.run(runRows(jobOf(clock, createRowObjects(), { process, deadlineMs })));

  expect(outcome).toMatchObject({ status: 'unfinished', progress: { rowsDone: 0, rowsTotal: 60 } });
});

/** Time that passes only while rows are processed; its timers ring at the next turn of the event loop. */
function createWorkingClock() {
  let nowMs = 1_000_000;
  return {
    now: () => nowMs,
    work(milliseconds: number): void {
      nowMs += milliseconds;
    },
    async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
      const untilMs = nowMs + milliseconds;
      while (nowMs < untilMs) {
        await setImmediate();
        signal?.throwIfAborted();
      }
    },
  };
}

it('running rows stops at the deadline, and writes checkpoints before it, where rows never wait', async () => {
  const clock = createWorkingClock();
  const objects = createRowObjects();
  const process = async (line: string, row: number) => {
    clock.work(20);
    return { row, text: line };
  };
  const deadlineMs = clock.now() + LAST_START_SECONDS * 1000 + 1000;

  const outcome = await runRows(
    jobOf(createVirtualClock(), objects, { process, deadlineMs, clock, concurrency: 1 }),
  );

  expect(outcome.status).toBe('unfinished');
  expect(checkpointedRows(objects).length).toBeGreaterThanOrEqual(50);
  expect(checkpointedRows(objects).length).toBeLessThan(55);
});

it('running rows gives up rows that are still in work shortly before the deadline, and processes them next time', async () => {
  const clock = createVirtualClock();
  const objects = createRowObjects();
  const stuck = async (line: string, row: number, signal: AbortSignal) => {
    if (row === FIRST_ROW + 3) {
      await clock.sleep(10_000_000, signal);
    }
    return { row, text: line };
  };
  const deadlineMs = clock.now() + 900_000;

  const first = await clock.run(runRows(jobOf(clock, objects, { process: stuck, deadlineMs })));
  expect(clock.now()).toBeLessThan(deadlineMs);
  expect(first).toMatchObject({ status: 'unfinished', progress: { rowsDone: 59, rowsTotal: 60 } });
  const asked: number[] = [];
  const process = async (line: string, row: number) => {
    asked.push(row);
    return { row, text: line };
  };
  const second = await clock.run(runRows(jobOf(clock, objects, { process, attempt: 'b' })));

  expect(second.status).toBe('finished');
  expect(asked).toEqual([FIRST_ROW + 3]);
});

it('running rows stops when it is asked to, keeping what is done', async () => {
  const clock = createVirtualClock();
  const objects = createRowObjects();
  const process = async (line: string, row: number, signal: AbortSignal) => {
    await clock.sleep(1000, signal);
    return { row, text: line };
  };
  const stopAtMs = clock.now() + 6000;
  const shouldStop = async () => clock.now() > stopAtMs;

  const outcome = await clock.run(runRows(jobOf(clock, objects, { process, shouldStop })));

  expect(outcome.status).toBe('stopped');
  expect(checkpointedRows(objects).length).toBeGreaterThanOrEqual(36);
  expect(checkpointedRows(objects).length).toBeLessThan(60);
});

it('running rows tells its progress, which never shrinks over invocations', async () => {
  const clock = createVirtualClock();
  const objects = createRowObjects();
  const told: number[] = [];
  const process = async (line: string, row: number, signal: AbortSignal) => {
    await clock.sleep(3000, signal);
    return { row, text: line };
  };
  const onProgress = async ({ rowsDone }: { rowsDone: number }) => {
    told.push(rowsDone);
  };
  for (const attempt of ['a', 'b', 'c', 'd']) {
    const deadlineMs = clock.now() + (LAST_START_SECONDS + 13) * 1000;
    await clock.run(runRows(jobOf(clock, objects, { process, onProgress, attempt, deadlineMs })));
  }

  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect(told.at(-1)).toBe(60);
});

it('running rows ends with the error of a row that is nobody’s, after checkpointing the others', async () => {
  const clock = createVirtualClock();
  const objects = createRowObjects();
  const process = async (line: string, row: number) => {
    await clock.sleep(1);
    if (row === FIRST_ROW + 30) {
      throw new Error('the model is gone');
    }
    return { row, text: line };
  };

  await expect(clock.run(runRows(jobOf(clock, objects, { process })))).rejects.toThrow('the model is gone');
  expect(checkpointedRows(objects).length).toBeGreaterThanOrEqual(28);
});

it('running rows ends with the error of a checkpoint that could not be written', async () => {
  const clock = createVirtualClock();
  const objects = createRowObjects(async () => {
    throw new Error('no space');
  });

  await expect(clock.run(runRows(jobOf(clock, objects)))).rejects.toThrow('no space');
});

it('running rows refuses a stored result that lacks a row', async () => {
  const clock = createVirtualClock();
  const objects = createRowObjects();
  await clock.run(runRows(jobOf(clock, objects)));
  const body = objects.contents.get('run/results/0.jsonl') ?? '';
  objects.contents.set('run/results/0.jsonl', body.slice(body.indexOf('\n') + 1));

  await expect(runRows(jobOf(clock, objects))).rejects.toThrow('each of its rows once');
});

describe('what is stored of earlier invocations', () => {
  const line = (row: number, text = 'before') => `${JSON.stringify({ row, text })}\n`;
  const store = (objects: RowObjects, name: string, rows: readonly number[], text?: string) =>
    objects.contents.set(`run/checkpoints/0/${name}.jsonl`, rows.map((row) => line(row, text)).join(''));

  it('what is stored of earlier invocations counts a row once that two of them have checkpointed, and works on all others', async () => {
    const clock = createVirtualClock();
    const objects = createRowObjects();
    store(objects, 'a-000000', ALL_ROWS.slice(0, 40), 'first');
    store(objects, 'b-000000', ALL_ROWS.slice(0, 40), 'second');
    const told: number[] = [];
    const onProgress = async ({ rowsDone }: { rowsDone: number }) => void told.push(rowsDone);

    const outcome = await clock.run(runRows(jobOf(clock, objects, { attempt: 'c', onProgress })));

    expect(outcome.status).toBe('finished');
    expect(storedRows(objects.contents.get('run/results/0.jsonl'))).toEqual(ALL_ROWS);
    expect(objects.contents.get('run/results/0.jsonl')).toMatch(/first/);
    expect(objects.contents.get('run/results/0.jsonl')).not.toMatch(/second/);
    expect(told[0]).toBe(40);
    expect(told.at(-1)).toBe(60);
  });

  it('what is stored of earlier invocations is told at the start, but not where nothing is stored or nothing is left to do', async () => {
    const clock = createVirtualClock();
    const toldAtStart = async (stored: readonly number[]) => {
      const objects = createRowObjects();
      store(objects, 'a-000000', stored);
      const told: number[] = [];
      const onProgress = async ({ rowsDone }: { rowsDone: number }) => void told.push(rowsDone);
      await clock.run(runRows(jobOf(clock, objects, { attempt: 'b', onProgress })));
      return told;
    };

    expect(await toldAtStart([])).toEqual([60]);
    expect(await toldAtStart(ALL_ROWS.slice(0, 1))).toEqual([1, 60]);
    expect(await toldAtStart(ALL_ROWS)).toEqual([60]);
  });

  it('what is stored of earlier invocations is read from every one of many objects', async () => {
    const clock = createVirtualClock();
    const objects = createRowObjects();
    for (const row of ALL_ROWS.slice(0, 50)) store(objects, `a-0000${row}`, [row]);
    const asked: number[] = [];
    const process = async (text: string, row: number) => {
      asked.push(row);
      return { row, text };
    };

    await clock.run(runRows(jobOf(clock, objects, { process, attempt: 'b' })));

    expect(asked).toEqual(ALL_ROWS.slice(50));
  });

  it('what is stored of earlier invocations is nothing where a checkpoint has gone since it was listed', async () => {
    const clock = createVirtualClock();
    const objects = createRowObjects();
    store(objects, 'a-000000', ALL_ROWS);
    const read: RowObjects['read'] = async (key) => (key.includes('a-000000') ? null : objects.read(key));

    const outcome = await clock.run(runRows(jobOf(clock, { ...objects, read }, { attempt: 'b' })));

    expect(outcome.status).toBe('finished');
  });

  it.each([FIRST_ROW - 1, FIRST_ROW + 60])(
    'what is stored of earlier invocations is refused where it is of row %i, of another batch',
    async (row) => {
      const clock = createVirtualClock();
      const objects = createRowObjects();
      store(objects, 'a-000000', [row]);

      await expect(runRows(jobOf(clock, objects))).rejects.toThrow('not in this batch');
    },
  );

  it.each([
    ['lacks its last row', ALL_ROWS.slice(0, -1)],
    ['has a row twice', [...ALL_ROWS.slice(0, -1), FIRST_ROW]],
    ['has two rows in the wrong order', [FIRST_ROW + 1, FIRST_ROW, ...ALL_ROWS.slice(2)]],
    ['has one row too many', [...ALL_ROWS, FIRST_ROW + 59]],
  ])('what is stored of earlier invocations is no result where it %s', async (_what, rows) => {
    const clock = createVirtualClock();
    const objects = createRowObjects();
    objects.contents.set('run/results/0.jsonl', rows.map((row) => line(row)).join(''));

    await expect(runRows(jobOf(clock, objects))).rejects.toThrow('each of its rows once');
  });
});

describe('a result that somebody else has written meanwhile', () => {
  const theirs = (rows: readonly number[]): string =>
    rows.map((row) => `${JSON.stringify({ row, text: 'theirs' })}\n`).join('');
  /** Runs a job in whose last moment another result is written. */
  async function overtaken(other: string): Promise<{ outcome: RowsOutcome<Done>; objects: RowObjects }> {
    const clock = createVirtualClock();
    const objects = createRowObjects();
    const job = jobOf(clock, objects, {
      mayFinish: async () => {
        objects.contents.set('run/results/0.jsonl', other);
        return true;
      },
    });
    return { outcome: await clock.run(runRows(job)), objects };
  }

  it('another result is the result, if it holds each row once', async () => {
    const { outcome, objects } = await overtaken(theirs(ALL_ROWS));

    expect(outcome).toMatchObject({
      status: 'finished',
      results: ALL_ROWS.map((row) => ({ row, text: 'theirs' })),
    });
    expect(objects.contents.get('run/results/0.jsonl')).toBe(theirs(ALL_ROWS));
  });

  it.each([
    ['only some of the rows', theirs(ALL_ROWS.slice(0, 10))],
    ['nothing', ''],
  ])('another result stays as it was counted, if it holds %s', async (_, counted) => {
    const { outcome, objects } = await overtaken(counted);

    expect(outcome.status).toBe('stopped');
    expect(objects.contents.get('run/results/0.jsonl')).toBe(counted);
  });
});

describe('what a job may', () => {
  const slow = (clock: VirtualClock) => async (text: string, row: number, signal: AbortSignal) => {
    await clock.sleep(1000, signal);
    return { row, text };
  };

  it('what a job may takes rows while it may, and ends as stopped with those in work done', async () => {
    const clock = createVirtualClock();
    const objects = createRowObjects();
    const mayTake = ({ rowsDone }: { rowsDone: number }) => rowsDone < 8;

    const outcome = await clock.run(runRows(jobOf(clock, objects, { process: slow(clock), mayTake })));

    expect(outcome).toMatchObject({ status: 'stopped', progress: { rowsDone: 11 } });
    expect(checkpointedRows(objects)).toHaveLength(11);
  });

  it('what a job may writes no result where it may not finish, and says that it was stopped', async () => {
    const clock = createVirtualClock();
    const objects = createRowObjects();

    const outcome = await clock.run(runRows(jobOf(clock, objects, { mayFinish: async () => false })));

    expect(outcome).toMatchObject({ status: 'stopped', progress: { rowsDone: 60, rowsTotal: 60 } });
    expect(objects.contents.has('run/results/0.jsonl')).toBe(false);
  });

  it('what a job may begins no row where it is to stop from the start', async () => {
    const clock = createVirtualClock();
    const process = () => Promise.reject(new Error('must not be asked'));
    const shouldStop = async () => true;

    const outcome = await clock.run(runRows(jobOf(clock, createRowObjects(), { process, shouldStop })));

    expect(outcome).toMatchObject({ status: 'stopped', progress: { rowsDone: 0 } });
  });

  it('what a job may adds up the tokens and the failures of its rows, and of those before', async () => {
    const clock = createVirtualClock();
    const objects = createRowObjects();
    const effortOf = ({ row }: Done) => ({
      tokens: row - FIRST_ROW,
      isFailed: row % 10 === 0,
      unbilledTokens: 0,
    });
    const mayFinish = async () => false;
    const deadlineMs = clock.now() + (LAST_START_SECONDS + 3) * 1000;
    await clock.run(runRows(jobOf(clock, objects, { process: slow(clock), deadlineMs })));

    const outcome = await clock.run(runRows(jobOf(clock, objects, { effortOf, mayFinish, attempt: 'b' })));

    expect(outcome).toMatchObject({ progress: { tokens: (59 * 60) / 2, rowsFailed: 6, rowsDone: 60 } });
  });

  it('what a job may tells of every row that it processed, and of none that was stored', async () => {
    const clock = createVirtualClock();
    const objects = createRowObjects();
    objects.contents.set('run/checkpoints/0/a-000000.jsonl', `{"row":${FIRST_ROW},"text":"before"}\n`);
    let done = 0;
    const onRowDone = () => {
      done += 1;
    };

    await clock.run(runRows(jobOf(clock, objects, { onRowDone, attempt: 'b' })));

    expect(done).toBe(59);
  });
});

describe('a job whose store or whose callers fail', () => {
  const failing = async () => {
    throw new Error('no connection');
  };

  it.each([
    ['the question whether to stop', { shouldStop: failing }],
    ['the report of its progress', { onProgress: failing }],
  ])(
    'a job whose store or whose callers fail ends with the error of %s, at once',
    async (_what, overrides) => {
      const clock = createVirtualClock();
      const objects = createRowObjects();
      let asked = 0;
      const process = async (text: string, row: number, signal: AbortSignal) => {
        asked += 1;
        await clock.sleep(4000, signal);
        return { row, text };
      };
      const error = await clock
        .run(runRows(jobOf(clock, objects, { process, ...overrides })))
        .catch((thrown: unknown) => thrown);

      expect(error).toEqual(new Error('no connection'));
      expect(asked).toBeLessThanOrEqual(8);
    },
  );

  it('a job whose store or whose callers fail writes each checkpoint to an object of its own, and no empty one', async () => {
    const clock = createVirtualClock();
    const objects = createRowObjects();
    const process = async (text: string, row: number, signal: AbortSignal) => {
      await clock.sleep(12_000, signal);
      return { row, text };
    };

    await clock.run(runRows(jobOf(clock, objects, { process, concurrency: 30 })));

    const bodies = [...objects.contents].filter(([key]) => key.includes('checkpoints'));
    expect(bodies.map(([key]) => key)).toEqual(bodies.map((_, n) => `run/checkpoints/0/a-00000${n}.jsonl`));
    expect(bodies.filter(([, body]) => body === '')).toEqual([]);
  });

  it('a job whose store or whose callers fail has no more than four checkpoints on their way to a slow store, and puts more into each', async () => {
    const clock = createVirtualClock();
    let writing = 0;
    let writingMax = 0;
    const objects = createRowObjects(async (key) => {
      if (!key.includes('checkpoints')) return;
      writing += 1;
      writingMax = Math.max(writingMax, writing);
      await clock.sleep(2000);
      writing -= 1;
    });
    const process = async (text: string, row: number, signal: AbortSignal) => {
      await clock.sleep(10, signal);
      return { row, text };
    };

    await clock.run(runRows(jobOf(clock, objects, { lines: linesOf(400), process, concurrency: 5 })));

    expect(writingMax).toBe(4);
    expect([...objects.contents.keys()].filter((key) => key.includes('checkpoints'))).toHaveLength(4);
  });
});

/** Whatever kills invocations, and however their writes and rows are timed. */
const killings = fc.record({
  rows: fc.integer({ min: 1, max: 140 }),
  concurrency: fc.integer({ min: 1, max: 40 }),
  rowMilliseconds: fc.integer({ min: 0, max: 3000 }),
  writeMilliseconds: fc.integer({ min: 0, max: 2000 }),
  killsAfterMilliseconds: fc.array(fc.integer({ min: 0, max: 12_000 }), { maxLength: 4 }),
  overlap: fc.boolean(),
});

it('running rows that are killed at random ends with each row once, and processes no row that was checkpointed', async () => {
  await fc.assert(
    fc.asyncProperty(killings, async (plan) => {
      const clock = createVirtualClock();
      const objects = createRowObjects(() => clock.sleep(plan.writeMilliseconds));
      const everCheckpointed = new Set<number>();
      const checkpointedBefore = new Map<string, Set<number>>();
      const processedTwice: number[] = [];
      const lives = [...plan.killsAfterMilliseconds, null];
      let outcome: RowsOutcome<Done> | undefined;

      for (const [n, killAfter] of lives.entries()) {
        const attempt = `attempt-${n}`;
        checkpointedBefore.set(attempt, new Set(everCheckpointed));
        let isAlive = true;
        const alive = <T>(value: T): Promise<T> =>
          isAlive ? Promise.resolve(value) : new Promise<never>(() => {});
        const job = jobOf(clock, objects, {
          lines: linesOf(plan.rows),
          concurrency: plan.concurrency,
          attempt,
          deadlineMs: clock.now() + 10_000_000,
          async process(line, row) {
            if (checkpointedBefore.get(attempt)?.has(row)) {
              processedTwice.push(row);
            }
            await clock.sleep(plan.rowMilliseconds * (((row * 31) % 7) / 7));
            return alive({ row, text: `${attempt} ${line}` });
          },
          objects: {
            ...objects,
            // A killed process writes nothing any more, unless it is one that was only thought dead.
            write: async (key, body, type) => {
              await objects.write(key, body, type);
              for (const row of storedRows(body.toString())) {
                everCheckpointed.add(row);
              }
              await (plan.overlap ? null : alive(null));
            },
          },
        });
        const running = runRows(job);
        running.catch(() => undefined);
        if (killAfter === null) {
          outcome = await clock.run(running);
        } else {
          await clock.advance(killAfter);
          isAlive = plan.overlap;
        }
      }

      const rows = Array.from({ length: plan.rows }, (_, n) => FIRST_ROW + n);
      expect(outcome?.status).toBe('finished');
      expect(storedRows(objects.contents.get('run/results/0.jsonl'))).toEqual(rows);
      expect(processedTwice).toEqual([]);
    }),
    { numRuns: 60, seed: 20_261_121 },
  );
});
