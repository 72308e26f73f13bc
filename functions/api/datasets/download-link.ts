import { linkDownload } from '#shared/datasets/contracts.ts';
import { exportLink, linkExport } from '#shared/exports/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(linkDownload, exportLink, async (input, needs) => {
  const { url, fileName, expiresAt } = await linkExport(input, needs);
  return { url, file_name: fileName, expires_at: expiresAt };
});
