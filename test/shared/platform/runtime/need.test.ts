import { expect, test, vi } from 'vitest';
import { createEnv } from '#shared/platform/runtime/env.ts';
import { bind, createUse, need, resource, type Use, usesOf } from '#shared/platform/runtime/need.ts';

const connected = (): Use => createUse(createEnv({}), (wanted, use) => wanted.connect(use));

test('a need is made when it is first asked for, and then kept', () => {
  const create = vi.fn(() => ({}));
  const each = need({}, create);
  const use = connected();

  expect(create).not.toHaveBeenCalled();
  expect(use(each)).toBe(use(each));
  expect(create).toHaveBeenCalledTimes(1);
});

test('a resource is connected to once for all needs, and apart for each holder of resources', () => {
  const table = resource('a table', () => ({}));
  const [one, other] = [need({}, (use) => [use(table)]), need({}, (use) => [use(table)])];
  const use = connected();

  expect(use(one)[0]).toBe(use(other)[0]);
  expect(connected()(one)[0]).not.toBe(use(one)[0]);
});

test('what stands in for a resource reaches the needs of needs, with the settings', () => {
  const table = resource('a table', () => 'real');
  const inner = need({}, (use) => `${use(table)} ${use.env.tableName()}`);
  const outer = need([inner], (use) => `(${use(inner)})`);
  const use = createUse(createEnv({ TABLE_NAME: 'T' }), () => 'fake' as never);

  expect(use(outer)).toBe('(fake T)');
});

test('a need that could not be made is tried anew', () => {
  const create = vi
    .fn(() => 'made')
    .mockImplementationOnce(() => {
      throw new Error('not yet');
    });
  const each = need({}, create);
  const use = connected();

  expect(() => use(each)).toThrow('not yet');
  expect(use(each)).toBe('made');
});

test('a replacement takes the place of a need, which is then never made', () => {
  const create = vi.fn(() => 'real');
  const needs = { a: need({}, create), b: need({}, () => 'b') };

  expect(bind(needs, connected(), { a: 'fake' })).toEqual({ a: 'fake', b: 'b' });
  expect(create).not.toHaveBeenCalled();
});

test('what needs touch is the sum of their parts, each named once, and no more', () => {
  const none = () => null;

  expect(
    usesOf({
      a: need({ table: 'read', bucket: { read: ['runs'] }, starts: ['adapt'], trainingJobs: 'launch' }, none),
      b: need({ table: 'write', bucket: { read: ['runs', 'datasets'], write: ['exports'] } }, none),
      c: need({ table: 'read', credits: 'read', models: ['judge'], search: true }, none),
      d: need({ trainingJobs: 'stop', models: ['judge', 'embed'] }, none),
    }),
  ).toEqual({
    table: 'write',
    credits: 'read',
    bucket: { read: ['runs', 'datasets'], write: ['exports'] },
    starts: ['adapt'],
    models: ['judge', 'embed'],
    search: true,
    trainingJobs: 'launch',
  });
  expect(usesOf({})).toEqual({});
});
