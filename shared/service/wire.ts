import { readFile } from 'node:fs/promises';
import { need, resource } from '#shared/platform/runtime/need.ts';

type ReadConsoleFile = (name: string) => Promise<string | null>;

/** The files of the console, which the build puts next to the function. */
export const theConsoleFiles = /* @__PURE__ */ resource<ReadConsoleFile>(
  'the files of the console',
  () => (name) =>
    readFile(new URL(`console/${name}`, import.meta.url), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    }),
);

/** Reads a file of the console; null if there is none of that name. */
export const readConsoleFile = /* @__PURE__ */ need<ReadConsoleFile>({}, (use) => use(theConsoleFiles));

type ReadDocument = () => Promise<string>;

/** The OpenAPI document, which the build puts next to the function. */
export const theOpenApiDocument = /* @__PURE__ */ resource<ReadDocument>(
  'the OpenAPI document',
  () => () => readFile(new URL('openapi.json', import.meta.url), 'utf8'),
);

/** Reads the OpenAPI document. */
export const readOpenApiDocument = /* @__PURE__ */ need<ReadDocument>({}, (use) => use(theOpenApiDocument));
