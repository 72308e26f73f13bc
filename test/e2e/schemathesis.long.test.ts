import { test } from 'vitest';
import { fuzzDocument } from '#test/helpers/fuzz-document.ts';

test('the running API refuses every invalid value of every field as its OpenAPI document says', async () => {
  await fuzzDocument('all');
});
