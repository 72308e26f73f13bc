import { reply, serve } from '#shared/platform/runtime/serve.ts';
import { getOpenApi } from '#shared/service/contracts/service.ts';
import { readOpenApiDocument } from '#shared/service/wire.ts';

export const handler = serve(getOpenApi, { readOpenApiDocument }, async (_, { readOpenApiDocument }) =>
  reply(200, { 'content-type': 'application/json' }, await readOpenApiDocument()),
);
