import { describe, expect, test } from 'vitest';
import { errorsOf } from '#shared/platform/contracts/endpoint.ts';
import { errorCatalog } from '#shared/platform/errors/catalog.ts';
import { PASSING } from '#shared/responses/ask-patiently.ts';
import { createResponse } from '#shared/responses/contracts/responses.ts';

/** Errors of a response for which nobody waits, though the same request can succeed later. */
const NOT_WAITED_FOR = {
  internal_error: 'a fault of the service, which the same request most likely meets again',
};

describe('what batches and evals wait for', () => {
  test('every error of a response that the same request may not meet later is waited for, or has a reason why not', () => {
    const passing = errorsOf(createResponse).filter(
      (code) => errorCatalog[code].retryable || errorCatalog[code].status === 503,
    );

    expect(passing.toSorted()).toEqual([...PASSING, ...Object.keys(NOT_WAITED_FOR)].toSorted());
  });
});
