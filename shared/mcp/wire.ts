import { readFile } from 'node:fs/promises';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { need, resource } from '#shared/platform/runtime/need.ts';
import { once } from '#shared/platform/runtime/once.ts';
import { outgoingTrace } from '#shared/platform/runtime/trace.ts';
import { createCallEndpoint, putText } from './adapters/call-endpoint.ts';
import type { CallEndpoint, SendText } from './decide/ports.ts';
import { resourceDeclarations, toolDeclarations } from './decide/tools.ts';
import type { Catalog } from './schema/catalog.ts';

/** The endpoint that ends an upload of `upload_rows`. */
export const COMPLETE_UPLOAD = 'complete_upload';

/** What the server offers: the build puts it next to the function. */
export const theCatalog = /* @__PURE__ */ resource<() => Promise<Catalog>>(
  'the catalog of the MCP server',
  () => once(async () => JSON.parse(await readFile(new URL('mcp.json', import.meta.url), 'utf8')) as Catalog),
);

/** Reads what the server offers. */
export const readCatalog = /* @__PURE__ */ need<() => Promise<Catalog>>({}, (use) => use(theCatalog));

/** The functions of the API. */
export const theEndpoints = /* @__PURE__ */ resource<CallEndpoint>('endpoints of the API', ({ env }) =>
  createCallEndpoint(
    (id) => env.functionName(id),
    outgoingTrace,
    (error) => logger.error('an endpoint was not called', describeError(error)),
  ),
);

/** Calls the endpoints that tools and resources are made of. */
export const callEndpoint = /* @__PURE__ */ need<CallEndpoint>(
  {
    invokes: [
      ...new Set(
        [...toolDeclarations, ...resourceDeclarations].map(
          ({ endpoint }) => `api/${endpoint.replaceAll('.', '/')}`,
        ),
      ),
    ],
  },
  (use) => use(theEndpoints),
);

/** What sends files to the bucket. */
export const theUploads = /* @__PURE__ */ resource<SendText>('uploads', () => putText);

export const sendText = /* @__PURE__ */ need<SendText>({}, (use) => use(theUploads));
