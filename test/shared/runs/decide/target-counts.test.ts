import { expect, test } from 'vitest';
import { describeShortfall, TargetTally, targetWarnings } from '#shared/runs/decide/target-counts.ts';

const countOf = (language: string, made: number, planned = 10, country: string | null = null) => ({
  language,
  country,
  planned,
  made,
});

test('a tally counts the rows of each target by its place, and none of a place that is no target', () => {
  const tally = new TargetTally([
    { language: 'de', country: null },
    { language: 'es', country: 'MX' },
  ]);
  for (const place of [0, 1, 1, 2]) tally.plan(place);
  for (const place of [1, 2]) tally.make(place);

  expect(tally.counts()).toEqual([countOf('de', 0, 1), countOf('es', 1, 2, 'MX')]);
});

test('a shortfall names all targets as soon as one lacks a row, and nothing where none does', () => {
  expect(describeShortfall([countOf('de', 10), countOf('fr', 9, 10, 'CA')])).toBe(
    '10 of 10 rows in de, 9 of 10 rows in fr-CA',
  );
  expect(describeShortfall([countOf('de', 10), countOf('sw', 0, 0)])).toBe(
    '10 of 10 rows in de, no row in sw',
  );
  expect(describeShortfall([countOf('de', 10)])).toBeNull();
  expect(describeShortfall([])).toBeNull();
});

test('a warning comes with more than half of the rows of a target missing, and not with half of them', () => {
  expect(targetWarnings([countOf('de', 5), countOf('fr', 9)])).toEqual([]);
  expect(targetWarnings([countOf('de', 4), countOf('fr', 9)])).toEqual([
    {
      code: 'languages_incomplete',
      message:
        'Only 4 of 10 rows in de were made, and only those are billed. The report says why for each of the others. ' +
        'Send the request again for these languages, or ask your operator for a model that writes them.',
    },
  ]);
});

test('a warning comes with targets for which there were no rows left', () => {
  expect(targetWarnings([countOf('de', 1, 1), countOf('sw', 0, 0), countOf('fr', 0, 0, 'CA')])).toEqual([
    {
      code: 'languages_incomplete',
      message:
        'No row was made in sw, fr-CA: sample_rate selects fewer rows than there are languages. Send the request again with a higher one.',
    },
  ]);
});

test('a warning names eight targets at most, and counts the others', () => {
  const [warning] = targetWarnings(Array.from({ length: 50 }, (_, n) => countOf(`l${n}`, 0)));

  expect(warning?.message).toContain('0 of 10 rows in l7, and too few in 42 more were made');
});
