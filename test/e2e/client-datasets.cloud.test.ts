import { test } from 'vitest';
import { runClientTests } from '#test/helpers/client-tests.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

test('the public Python client, unmodified and strict, finds uploads, launches, trainings and lists as it expects them', async () => {
  const left = await runClientTests(testCloud(), 'second');
  await left[Symbol.asyncDispose]();
}, 900_000);
