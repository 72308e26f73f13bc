import { test } from 'vitest';
import { fuzzDocument } from '#test/helpers/fuzz-document.ts';

// `schemathesis.long.test.ts` has every invalid value of every field, too.
test('the running API keeps to its OpenAPI document, whatever it is sent', async () => {
  await fuzzDocument('positive');
}, 900_000);
