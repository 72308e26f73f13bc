import { exampleOf } from '#bin/openapi/example-of.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import type { Request } from './call.ts';

/** A query that each endpoint takes, of those that need one. */
export const queries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'datasets.diff': { from: '1', to: '2' },
};

/** A form that each endpoint takes, of those that take one. */
export const forms: Readonly<Record<string, NonNullable<Request['form']>>> = {
  'files.create': { file: ['a.jsonl', '{"a": 1}\n'], purpose: 'evals' },
};

/** The example of each endpoint that takes a body: every check of shape lets it through. */
export const bodies: Readonly<Record<string, unknown>> = Object.fromEntries(
  contracts.flatMap(({ id, body }) => (body === undefined ? [] : [[id, exampleOf(id, body, 'input')]])),
);
