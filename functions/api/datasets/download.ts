import { downloadDataset } from '#shared/datasets/contracts.ts';
import { exportLink, linkExport } from '#shared/exports/wire.ts';
import { reply, serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(downloadDataset, exportLink, async (input, needs) => {
  const { url, contentType } = await linkExport(input, needs);
  return reply(307, { location: url, 'content-type': contentType });
});
