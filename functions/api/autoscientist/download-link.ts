import { serve } from '#shared/platform/runtime/serve.ts';
import { linkTrainingDownload } from '#shared/training/contracts.ts';
import { artifactLink, linkArtifact } from '#shared/training/wire.ts';

export const handler = serve(linkTrainingDownload, artifactLink, async (input, needs) => {
  const { url, fileName, expiresAt } = await linkArtifact(input, needs);
  return { url, file_name: fileName, expires_at: expiresAt };
});
