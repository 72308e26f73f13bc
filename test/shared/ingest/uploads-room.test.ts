import { describe, expect, test } from 'vitest';
import { createOpenUploads } from '#shared/ingest/open-uploads.ts';
import { createSweepUploads } from '#shared/ingest/sweep-uploads.ts';
import { createMemoryObjects, type MemoryObjects } from '#test/helpers/memory-objects.ts';
import { makeCaller, makeDataset } from '#test/helpers/records.ts';

/** Sizes below are in MiB: what a file counts at least. */
const MIB = 2 ** 20;
const MAX = 100 * MIB;

async function sent(...files: readonly (readonly [key: string, bytes: number])[]): Promise<MemoryObjects> {
  const objects = createMemoryObjects();
  for (const [key, size] of files) await objects.write(`uploads/${key}`, 'x'.repeat(size), 'text/csv');
  return {
    ...objects,
    async *listSizes(prefix) {
      for await (const file of objects.listSizes(prefix)) yield { ...file, bytes: file.bytes * MIB };
    },
  };
}

describe('an upload is opened', () => {
  const open = (objects: MemoryObjects, ...bytes: (number | null)[]) =>
    createOpenUploads({ objects, waitingBytesMax: MAX })(
      'team',
      bytes.map((each, n) => ({ key: `uploads/team/id/${n}.csv`, bytes: each === null ? null : each * MIB })),
    );

  test('an upload is opened for the announced size only, and for any where none is announced', async () => {
    const [bound, free] = await open(await sent(), 10, null);

    expect(new URL(bound ?? '').searchParams.get('bytes')).toBe(String(10 * MIB));
    expect(new URL(free ?? '').searchParams.get('bytes')).toBeNull();
  });

  test.each([
    ['what waits fills the room', 100, null],
    ['what waits and what is announced go beyond it', 60, 41],
  ] as const)('an upload is opened unless %s', async (_, waiting, announced) => {
    await expect(open(await sent(['team/a/f.csv', waiting]), announced)).rejects.toMatchObject({
      code: 'uploads_limit_reached',
      status: 429,
      message: expect.stringContaining('wait for their upload to be completed'),
    });
  });

  test('an upload is opened as often as files of no size count for', async () => {
    const empty = Array.from({ length: 99 }, (_, n) => [`team/${n}/f.csv`, 0] as const);

    expect(await open(await sent(...empty), null)).toHaveLength(1);
    await expect(open(await sent(...empty), null, null)).rejects.toMatchObject({
      code: 'uploads_limit_reached',
    });
  });

  test('an upload is opened whatever other teams have sent', async () => {
    const objects = await sent(['team2/a/f.csv', 1000], ['team/a/f.csv', 60]);

    expect(await open(objects, 40)).toHaveLength(1);
  });
});

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

describe('what was sent beyond the room of its team', () => {
  const sweep = async (completed: readonly string[]) => {
    const sizes: readonly (readonly [key: string, mebibytes: number, time: number])[] = [
      [`one/${idOf(1)}/f.csv`, 60, 3],
      [`one/${idOf(2)}/f.csv`, 30, 1],
      [`one/${idOf(3)}/f.csv`, 20, 2],
      [`two/${idOf(4)}/f.csv`, 60, 0],
      [`two/${idOf(5)}/huge.csv`, 81, 0],
    ];
    const objects = await sent(...sizes.map(([key, size]) => [key, size] as const));
    const swept = await createSweepUploads({
      objects: {
        ...objects,
        async *listSizes(prefix) {
          for await (const file of objects.listSizes(prefix)) {
            const [, , modifiedMs = 0] = sizes.find(([key]) => file.key === `uploads/${key}`) ?? [];
            yield { ...file, modifiedMs };
          }
        },
      },
      datasets: {
        find: async (id) =>
          makeDataset(makeCaller(), {
            dataset_id: id,
            state: completed.includes(id) ? 'ingesting' : 'awaiting_upload',
          }),
      },
      prefix: 'uploads/',
      waitingBytesMax: MAX,
      fileBytesMax: 80 * MIB,
    })();
    return { swept, left: objects.keys().map((key) => Number(key.split('/')[2]?.slice(-1))) };
  };

  test('what was sent beyond the room of its team is deleted, the last first, and what is larger than a file may be', async () => {
    expect(await sweep([])).toEqual({ swept: { examined: 5, deleted: 2 }, left: [2, 3, 4] });
  });

  test('what was sent beyond the room of its team stays where its upload is completed, until it has been read', async () => {
    expect(await sweep([idOf(1)])).toEqual({ swept: { examined: 5, deleted: 1 }, left: [1, 2, 3, 4] });
  });
});
