import { readFile } from 'node:fs/promises';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { reply, serve } from '#shared/platform/runtime/serve.ts';
import { getDocsAsset } from '#shared/service/contracts/service.ts';
import { docsAssets } from '#shared/service/decide/page.ts';

/** The build puts the files of the documentation page next to this function. */
export const handler = serve(getDocsAsset, {}, async ({ params }) => {
  const contentType = docsAssets.get(params.asset);
  if (contentType === undefined) {
    throw new ServiceError('route_not_found', 'There is no such file. The documentation is at /docs.');
  }
  const text = await readFile(new URL(params.asset, import.meta.url), 'utf8');
  return reply(200, { 'content-type': contentType, 'cache-control': 'public, max-age=86400' }, text);
});
