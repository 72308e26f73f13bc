import { expect, test } from 'vitest';
import { importPage, PageMissingError } from '../../console/src/lazy-page.ts';

const FAILURE = new TypeError(
  'Failed to fetch dynamically imported module: http://console.test/list-1a2b.js',
);

test('a page that comes is what is shown', async () => {
  expect(await importPage(async () => 'the page')).toBe('the page');
});

test('a page that does not come is missing, and the error says which file', async () => {
  const failed = await importPage(() => Promise.reject(FAILURE)).catch((error: unknown) => error);

  expect(failed).toBeInstanceOf(PageMissingError);
  expect(failed).toMatchObject({ message: FAILURE.message, cause: FAILURE });
});

test('an error of the script of a page is not blamed on the network', async () => {
  const own = new RangeError('Incorrect locale information provided');

  const failed = await importPage(() => Promise.reject(own)).catch((error: unknown) => error);

  expect(failed).toBe(own);
});
