import * as z from 'zod';
import { pipelines } from '#shared/service/pipelines/index.ts';
import { readDefinition } from './definitions.ts';

/** Every value of a field, wherever it is. */
function valuesOf(field: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === field ? [inner] : []),
    ...valuesOf(field, inner),
  ]);
}

const FIELD = 'max_concurrency';

/**
 * The most workers that Distributed Maps invoke at once, where that is a number: in a state machine, or in the contract of
 * the task that plans the map. All others have as many as share the model's concurrency.
 */
export function boundsOfWorkers(): number[] {
  const literal = pipelines.flatMap(({ id }) => valuesOf(FIELD, readDefinition(id)));
  const planned = pipelines
    .flatMap(({ tasks }) => Object.values(tasks))
    .flatMap(({ output }) => valuesOf(FIELD, z.toJSONSchema(output, { unrepresentable: 'any' })))
    .map((schema) => (schema as { readonly maximum?: number }).maximum);
  return [...literal, ...planned].filter(
    (bound): bound is number => typeof bound === 'number' && bound < Number.MAX_SAFE_INTEGER,
  );
}
