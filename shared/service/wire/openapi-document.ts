import { readFile } from 'node:fs/promises';
import { need, resource } from '#shared/platform/runtime/need.ts';

type ReadDocument = () => Promise<string>;

/** The OpenAPI document, which the build puts next to the function. */
export const theOpenApiDocument = /* @__PURE__ */ resource<ReadDocument>(
  'the OpenAPI document',
  () => () => readFile(new URL('openapi.json', import.meta.url), 'utf8'),
);

/** Reads the OpenAPI document. */
export const readOpenApiDocument = /* @__PURE__ */ need<ReadDocument>({}, (use) => use(theOpenApiDocument));
