import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SlotQueue } from '#local/model/slot-queue.ts';
import { deferred } from '../deferred.ts';

const never = new AbortController().signal;
const limits = { waitingMax: 2, retryAfterSeconds: 5 };

/** Work that lasts until it is told to end. */
function open<Slot>(queue: SlotQueue<Slot>, signal = never) {
  const { promise, resolve } = deferred<void>();
  const started: Slot[] = [];
  const done = queue.use(async (slot) => {
    started.push(slot);
    await promise;
    return slot;
  }, signal);
  return { started, done, end: resolve };
}

it('the queue of slots runs as many at once as there are slots, the others in the order they came', async () => {
  const queue = new SlotQueue(['a', 'b'], limits);
  const jobs = [open(queue), open(queue), open(queue), open(queue)];
  await turn();
  expect(jobs.map(({ started }) => started.length)).toEqual([1, 1, 0, 0]);

  jobs[1]?.end();
  await turn();

  expect(jobs.map(({ started }) => started.length)).toEqual([1, 1, 1, 0]);
  expect(jobs[2]?.started).toEqual(['b']);
});

it('the queue of slots refuses with 429 and a time to come back when too many wait', async () => {
  const queue = new SlotQueue(['a'], limits);
  for (let job = 0; job < 3; job += 1) open(queue);

  await expect(queue.use(async () => 'x', never)).rejects.toMatchObject({
    status: 429,
    code: 'rate_limit_exceeded',
    retryAfterSeconds: 5,
  });
});

it('the queue of slots gives a slot back when the work fails', async () => {
  const queue = new SlotQueue(['a'], limits);
  await expect(queue.use(() => Promise.reject(new Error('broken')), never)).rejects.toThrow('broken');

  expect(await queue.use(async (slot) => slot, never)).toBe('a');
});

it('the queue of slots forgets who leaves while waiting, and keeps the slot for the next', async () => {
  const queue = new SlotQueue(['a'], limits);
  const first = open(queue);
  const leaving = new AbortController();
  const second = open(queue, leaving.signal);
  const third = open(queue);

  leaving.abort(new Error('gone'));
  await expect(second.done).rejects.toThrow('gone');
  first.end();
  await turn();

  expect([second.started, third.started, queue.waiting]).toEqual([[], ['a'], 0]);
});

it('the queue of slots runs nothing for who had left before', async () => {
  const queue = new SlotQueue(['a'], limits);

  await expect(queue.use(async () => 'x', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  expect(await queue.use(async (slot) => slot, never)).toBe('a');
});

it('the queue of slots lets a request choose among the free slots', async () => {
  const queue = new SlotQueue(['a', 'b', 'c'], limits);

  expect(
    await queue.use(
      async (slot) => slot,
      never,
      (free) => free[2],
    ),
  ).toBe('c');
});
