import { linkDownload } from '#shared/datasets/contracts.ts';
import { linkExport, linkExportNeeds } from '#shared/exports/wire/link-export.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(linkDownload, linkExportNeeds, async (input, needs) => {
  const { url, fileName, expiresAt } = await linkExport(input, needs);
  return { url, file_name: fileName, expires_at: expiresAt };
});
