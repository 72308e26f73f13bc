import { downloadDataset } from '#shared/datasets/contracts.ts';
import { linkExport, linkExportNeeds } from '#shared/exports/wire/link-export.ts';
import { reply, serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(downloadDataset, linkExportNeeds, async (input, needs) => {
  const { url, contentType } = await linkExport(input, needs);
  return reply(307, { location: url, 'content-type': contentType });
});
