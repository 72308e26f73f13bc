import { afterEach, describe, expect, test, vi } from 'vitest';
import { TunesmithError } from '../../../clients/typescript/src/index.ts';
import type { Recorded, Verdict } from '../../../console/src/review/contract.ts';
import { batchOf, createOutbox, pauseAfter } from '../../../console/src/review/outbox.ts';
import { pause, readKept } from '../../../console/src/review/outboxes.ts';

const verdict = (row: number, kind: Verdict['verdict'] = 'right'): Verdict => ({
  row,
  content_hash: `h${row}`,
  verdict: kind,
});
const ANSWER: Recorded = {
  recorded: 1,
  stale: [],
  worth_a_look: 0,
  verdicts: { right: 1, wrong: 0, mended: 0, disputed: 0, stale: 0 },
  witnesses: [],
  grade: null,
};
const failure = (
  status: number,
  code: TunesmithError['code'] = 'unknown',
  retryAfterSeconds: number | null = null,
) =>
  new TunesmithError(`status ${status}`, { status, code, requestId: null, details: [], retryAfterSeconds });

/** An outbox whose requests are answered one by one, without waiting. */
function outboxWith(
  answers: readonly (Error | null)[] | ((rows: readonly number[]) => Error | null),
  kept: readonly Verdict[] = [],
) {
  const sent: string[][] = [];
  const pauses: number[] = [];
  const keeps: number[] = [];
  const recorded: number[] = [];
  let next = 0;
  const outbox = createOutbox(
    {
      send: async (verdicts) => {
        sent.push(verdicts.map(({ row, verdict: kind }) => `${row} ${kind}`));
        const error =
          typeof answers === 'function' ? answers(verdicts.map(({ row }) => row)) : (answers[next] ?? null);
        next += 1;
        if (error !== null) throw error;
        return ANSWER;
      },
      keep: (unsent) => void keeps.push(unsent.length),
      onAnswer: (_, of) => void recorded.push(...of.map(({ row }) => row)),
      onChange: () => undefined,
      pause: (milliseconds) => {
        pauses.push(milliseconds);
        return { over: Promise.resolve(), wake: () => undefined };
      },
    },
    kept,
  );
  const settled = async (): Promise<void> => {
    for (let n = 0; n < 50; n += 1) await Promise.resolve();
  };
  return { outbox, sent, pauses, keeps, recorded, settled };
}

describe('the outbox of verdicts', () => {
  test('the outbox sends what comes while a request is under way with the next one, in order', async () => {
    const { outbox, sent, settled } = outboxWith([]);
    outbox.add([verdict(1)]);
    outbox.add([verdict(2)]);
    outbox.add([verdict(3)]);
    await settled();

    expect(sent).toEqual([['1 right'], ['2 right', '3 right']]);
    expect(outbox.state()).toEqual({ unsent: [], problem: null, refused: [] });
  });

  test('the outbox never names a row twice in a request, so that the last word counts', () => {
    const unsent = [verdict(1), verdict(2), verdict(1, 'none'), verdict(3)];

    expect(batchOf(unsent, 100)).toEqual(unsent.slice(0, 2));
    expect(batchOf(unsent.slice(1), 2)).toHaveLength(2);
  });

  test('the outbox repeats a lost request until it is answered, ever more rarely', async () => {
    const { outbox, sent, pauses, recorded, settled } = outboxWith([
      failure(0),
      failure(503),
      failure(429, 'rate_limited', 4),
      null,
    ]);
    outbox.add([verdict(1)]);
    await settled();

    expect(sent).toHaveLength(4);
    expect(pauses).toEqual([1000, 2000, 4000]);
    expect(recorded).toEqual([1]);
    expect(pauseAfter(20, failure(0))).toBe(15_000);
  });

  test('the outbox takes out a verdict that is refused for what it holds, and sends the others', async () => {
    const { outbox, sent, recorded, settled } = outboxWith((rows) =>
      rows.includes(2) ? failure(422) : null,
    );
    outbox.add([verdict(9)]);
    outbox.add([verdict(1), verdict(2), verdict(3)]);
    await settled();

    expect(sent.map((each) => each.length)).toEqual([1, 3, 1, 2, 1, 1]);
    expect(recorded).toEqual([9, 1, 3]);
    expect(outbox.state().refused.map((each) => each.verdict.row)).toEqual([2]);
    expect(outbox.state().unsent).toEqual([]);
  });

  test('the outbox keeps everything where the key may not write, and goes on when it is told to', async () => {
    const { outbox, sent, recorded, settled } = outboxWith([failure(403, 'scope_missing'), null]);
    outbox.add([verdict(1)]);
    await settled();
    outbox.add([verdict(2)]);
    await settled();
    expect(sent).toHaveLength(1);
    expect(outbox.state().problem?.isRepeated).toBe(false);
    expect(outbox.state().unsent).toHaveLength(2);

    outbox.sendNow();
    await settled();
    expect(recorded).toEqual([1, 2]);
  });

  test('the outbox keeps what is unsent for the next page, and begins with what an earlier one left', async () => {
    const { outbox, keeps, recorded, settled } = outboxWith([null], [verdict(5)]);
    await settled();
    outbox.add([verdict(6)]);
    await settled();

    expect(recorded).toEqual([5, 6]);
    expect(keeps).toEqual([0, 1, 0]);
    expect(readKept(JSON.stringify([verdict(5)]))).toEqual([verdict(5)]);
    expect(readKept('{')).toEqual([]);
    expect(readKept('{"a": 1}')).toEqual([]);
    expect(readKept(null)).toEqual([]);
  });

  test('the outbox drops what its reader drops, and an answer to it changes nothing more', async () => {
    const { outbox, recorded, settled } = outboxWith([]);
    outbox.add([verdict(1)]);
    outbox.drop();
    await settled();

    expect(recorded).toEqual([]);
    expect(outbox.state().unsent).toEqual([]);
  });
});

describe('the pause before verdicts are sent again', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('the pause ends once the connection is back, or its reader wants to send now', async () => {
    const listeners = new Set<() => void>();
    vi.stubGlobal('addEventListener', (name: string, listener: () => void) => {
      if (name === 'online') listeners.add(listener);
    });
    vi.stubGlobal('removeEventListener', (_: string, listener: () => void) => listeners.delete(listener));

    const lost = pause(3_600_000);
    for (const listener of listeners) listener();
    await lost.over;
    const asked = pause(3_600_000);
    asked.wake();
    await asked.over;

    expect(listeners.size).toBe(0);
  });
});
