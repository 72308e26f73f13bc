import { reply, serve } from '#shared/platform/runtime/serve.ts';
import { bucketOrigin } from '#shared/platform/wire.ts';
import { getConsole } from '#shared/service/contracts/service.ts';
import { consoleHeaders } from '#shared/service/decide/console-page.ts';
import { readConsoleFile } from '#shared/service/wire.ts';

/**
 * Browsers ask for the page each time, since it names the files of one version. It names them relative to `/console`, so a
 * trailing slash is taken away.
 */
export const handler = serve(
  getConsole,
  { bucketOrigin, readConsoleFile },
  async ({ path }, { bucketOrigin, readConsoleFile }) => {
    if (path.endsWith('/')) return reply(308, { location: '../console' });
    const page = await readConsoleFile('index.html');
    if (page === null) throw new Error('The console is not next to its function: build it.');
    return reply(
      200,
      {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        ...consoleHeaders(page, bucketOrigin),
      },
      page,
    );
  },
);
