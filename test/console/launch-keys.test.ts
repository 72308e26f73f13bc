import { expect, test } from 'vitest';
import { createLaunchKeys } from '../../console/src/launch-keys.ts';

test('the key of a launch is the same for the same request until it was launched, so that a double click starts one run', () => {
  const keys = createLaunchKeys();
  const first = keys.keyOf({ dataset_id: 'a' });

  expect(keys.keyOf({ dataset_id: 'a' })).toBe(first);
  keys.launched();
  expect(keys.keyOf({ dataset_id: 'a' })).not.toBe(first);
});

test('the key of a launch is another for another request', () => {
  const keys = createLaunchKeys();

  expect(keys.keyOf({ dataset_id: 'a' })).not.toBe(keys.keyOf({ dataset_id: 'b' }));
});

test('the key of a launch is made by nobody else', () => {
  const keys = [createLaunchKeys(), createLaunchKeys()].map((each) => each.keyOf({}));

  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
  expect(keys[0]).not.toBe(keys[1]);
});
