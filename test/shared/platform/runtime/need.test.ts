import { expect, test, vi } from 'vitest';
import { bind, need, usesOf } from '#shared/platform/runtime/need.ts';

test('a need is made when it is first asked for, and then kept', () => {
  const create = vi.fn(() => ({}));
  const each = need({}, create);

  expect(create).not.toHaveBeenCalled();
  expect(each.get()).toBe(each.get());
  expect(create).toHaveBeenCalledTimes(1);
});

test('a need that could not be made is tried anew', () => {
  const create = vi
    .fn(() => 'made')
    .mockImplementationOnce(() => {
      throw new Error('not yet');
    });
  const each = need({}, create);

  expect(() => each.get()).toThrow('not yet');
  expect(each.get()).toBe('made');
});

test('a replacement takes the place of a need, which is then never made', () => {
  const create = vi.fn(() => 'real');

  expect(bind({ a: need({}, create), b: need({}, () => 'b') }, { a: 'fake' })).toEqual({ a: 'fake', b: 'b' });
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
