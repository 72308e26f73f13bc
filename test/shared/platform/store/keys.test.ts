import { expect, test } from 'vitest';
import { keys, lists, sortKeyPrefixes } from '#shared/platform/store/keys.ts';

type Maker = (...args: (string | number)[]) => unknown;
const makers: [string, Maker][] = [...Object.entries(keys), ...Object.entries(lists)].flatMap(
  ([name, make]) => (typeof make === 'function' ? [[name, make as Maker] as [string, Maker]] : []),
);
const textOf = (made: unknown): string => JSON.stringify(made);

test.each(makers)('%s tells its items apart by every argument', (_name, make) => {
  const args = Array.from({ length: make.length }, (_, index) => `x${index}`);
  const made = textOf(make(...args));

  expect(args).not.toEqual([]);
  for (const at of args.keys()) {
    expect(textOf(make(...args.with(at, 'y')))).not.toBe(made);
  }
});

test('no two kinds of items share a key', () => {
  const made = makers.map(([, make]) => textOf(make('a', 'b', 'c', 'd')));

  expect(new Set(made).size).toBe(made.length);
});

test('a team’s balance, holds and entries are in a partition that is that team’s alone', () => {
  const partitions = [keys.balance('t'), keys.hold('t', 'r'), keys.ledgerEntry('t', 'at', 'e')].map(
    ({ pk }) => pk,
  );

  expect(new Set(partitions)).toEqual(new Set([keys.balance('t').pk]));
  expect(keys.balance('t2').pk).not.toBe(keys.balance('t').pk);
});

test('what lists items of a kind finds that kind, and no other of its partition', () => {
  const kinds = {
    run: keys.run('d', 'x'),
    version: keys.version('d', 1),
    evaluation: keys.evaluation('d', 'x'),
    customEval: keys.customEval('d', 'x'),
    publication: keys.publication('d', 'x'),
    finetuneJob: keys.finetuneJob('d', 'x'),
    chunk: keys.chunk('r', 1),
    event: keys.feedEvent('t', 1),
    webhook: keys.webhook('t', 'x'),
    batch: keys.batch('t', 'x'),
    eval: keys.eval('t', 'x'),
    evalRun: keys.evalRun('t', 'x', 'y'),
    delivery: keys.delivery('w', 1),
    dueDelivery: keys.dueDelivery('w', 'at', 1),
    queuedEvalRun: keys.queuedEvalRun('t', 'at', 'x'),
    member: keys.member('t', 'x'),
    hold: keys.hold('t', 'x'),
    ledgerEntry: keys.ledgerEntry('t', 'at', 'x'),
    teamKey: keys.teamKey('t', 'x'),
    stack: keys.stack('t', 'x'),
    verdict: keys.verdict('d', 1, 'x'),
    dayUsage: keys.dayUsage('t', 1, 'day', 'x'),
    auditEntry: keys.auditEntry('2026-11-29T00:00:00.000Z', 'e'),
  } satisfies Record<keyof typeof sortKeyPrefixes, unknown>;

  for (const [kind, { sk }] of Object.entries(kinds)) {
    const found = Object.entries(sortKeyPrefixes).filter(([, prefix]) => sk.startsWith(prefix));
    expect(found.map(([name]) => name)).toEqual([kind]);
  }
});
