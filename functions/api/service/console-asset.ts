import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { reply, serve } from '#shared/platform/runtime/serve.ts';
import { getConsoleAsset } from '#shared/service/contracts/service.ts';
import { consoleMediaType } from '#shared/service/decide/console-page.ts';
import { readConsoleFile } from '#shared/service/wire.ts';

/** Names carry a hash of the content, so a file never changes. A page of an earlier version may ask for one that is gone. */
export const handler = serve(
  getConsoleAsset,
  { readConsoleFile },
  async ({ params }, { readConsoleFile }) => {
    const contentType = consoleMediaType(params.asset);
    const content = contentType === null ? null : await readConsoleFile(params.asset);
    if (contentType === null || content === null) {
      throw new ServiceError('route_not_found', 'There is no such file. The console is at /console.');
    }
    return reply(
      200,
      { 'content-type': contentType, 'cache-control': 'public, max-age=31536000, immutable' },
      content,
    );
  },
);
