import { expect, it } from 'vitest';
import { readRestoreArguments } from '#bin/restore/arguments.ts';

const NOW = Date.UTC(2026, 10, 29, 6);
const read = (...given: string[]) => readRestoreArguments(given, NOW);
const STAGES = ['--from', 'prod', '--into', 'again'];

it('A restoration takes two stages and a moment', () => {
  expect(read(...STAGES, '--to', '2026-11-29T05:00:00Z')).toEqual({
    from: 'prod',
    into: 'again',
    to: Date.UTC(2026, 10, 29, 5),
    table: null,
    profile: undefined,
  });
  expect(
    read(...STAGES, '--to=2026-11-29T07:00+02:00', '--table', 'restored', '--profile=work'),
  ).toMatchObject({
    to: Date.UTC(2026, 10, 29, 5),
    table: 'restored',
    profile: 'work',
  });
});

it.each([
  [['--from', 'prod', '--into', 'prod', '--to', '2026-11-29T05:00:00Z'], '--into must be another stage'],
  [['--from', 'prod', '--to', '2026-11-29T05:00:00Z'], '--into is missing'],
  [[...STAGES], '--to is missing'],
  [[...STAGES, '--to', '2026-11-29T05:00:00'], '--to must be a time with its zone'],
  [[...STAGES, '--to', 'yesterday'], '--to must be a time'],
  [[...STAGES, '--to', '2026-11-29T06:00:01Z'], '--to is in the future'],
  [[...STAGES, '--to'], '--to needs a value'],
  [['--from', 'Prod!', '--into', 'again', '--to', '2026-11-29T05:00:00Z'], 'no name of a stage'],
  [[...STAGES, '--at', 'x'], '"--at" is not known here'],
])('A restoration refuses %j', (given, message) => {
  expect(() => read(...given)).toThrow(message);
});
