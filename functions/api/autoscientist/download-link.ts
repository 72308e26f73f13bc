import { serve } from '#shared/platform/runtime/serve.ts';
import { linkTrainingDownload } from '#shared/training/contracts.ts';
import { linkArtifact, linkArtifactNeeds } from '#shared/training/wire/link-artifact.ts';

export const handler = serve(linkTrainingDownload, linkArtifactNeeds, async (input, needs) => {
  const { url, fileName, expiresAt } = await linkArtifact(input, needs);
  return { url, file_name: fileName, expires_at: expiresAt };
});
