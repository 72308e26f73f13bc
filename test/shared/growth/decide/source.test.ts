import { expect, test } from 'vitest';
import { requireGrowable, requireTexts } from '#shared/growth/decide/source.ts';
import type { ServiceError } from '#shared/platform/errors/service-error.ts';
import { makeCaller, makeDataset } from '#test/helpers/records.ts';

/** Columns of thirty characters each, which together are far longer than an error may be. */
const names = Array.from({ length: 2000 }, (_, n) => `column ${n} `.padEnd(30, 'x'));
const refusalOf = (act: () => unknown): ServiceError => {
  try {
    act();
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('Nothing was refused.');
};

test('a source without a prompt names its first columns, and counts the others', () => {
  const { message } = refusalOf(() =>
    requireTexts({
      columns: names.map((name) => ({ name, type: 'VARCHAR' })),
      roles: {},
      context: [],
    } as never),
  );

  expect(message).toContain(`"${names[0]}"`);
  expect(message).toMatch(/ and \d+ more\. Adapt it/);
  expect(message.length).toBeLessThan(5000);
});

test('a source with images in many columns names the first of them, in the message and in the details', () => {
  const image_column_formats = Object.fromEntries(names.map((name) => [name, 'file_reference' as const]));
  const dataset = makeDataset(makeCaller(), { state: 'succeeded', row_count: 3, image_column_formats });

  const { code, message, details } = refusalOf(() => requireGrowable(dataset));

  expect(code).toBe('images_unsupported');
  expect(message.length).toBeLessThan(5000);
  expect(details.length).toBeLessThanOrEqual(100);
});
