import { reply, serve } from '#shared/platform/runtime/serve.ts';
import { getDocs } from '#shared/service/contracts/service.ts';
import { docsHeaders, docsPage } from '#shared/service/decide/page.ts';

export const handler = serve(getDocs, {}, async () =>
  reply(
    200,
    { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'public, max-age=300', ...docsHeaders },
    docsPage(),
  ),
);
