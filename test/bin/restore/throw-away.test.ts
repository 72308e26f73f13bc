import { expect, it } from 'vitest';
import { throwAwayWarning } from '#bin/restore/throw-away.ts';

it('A restoration warns of a target that is deleted with its data, and of no other', () => {
  expect(throwAwayWarning('again', true)).toBeNull();
  expect(throwAwayWarning('again', false)).toContain('RETAIN=true npm run deploy -- -c stage=again');
  // Where the table's description does not say it.
  expect(throwAwayWarning('again', undefined)).not.toBeNull();
});
