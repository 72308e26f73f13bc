import * as z from 'zod';
import type { EndpointContract } from '#shared/platform/contracts/endpoint.ts';

/** Values for the parameters of a path: the given dataset, and for every other the example of its schema. */
export function pathParams(
  { path, params }: Pick<EndpointContract, 'path' | 'params'>,
  datasetId: string,
): Record<string, string> {
  const shape = (params as z.ZodObject | undefined)?.shape ?? {};
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  // The files of pages are put beside their functions by the build.
  const given: Readonly<Record<string, string>> = { dataset_id: datasetId, asset: 'missing.css' };
  const paramOf = (name: string): string =>
    given[name] ?? String(z.globalRegistry.get(shape[name] as z.ZodType)?.example);
  return Object.fromEntries(names.map((name) => [name, paramOf(name)]));
}
