import { reply, serve } from '#shared/platform/runtime/serve.ts';
import { downloadTraining } from '#shared/training/contracts.ts';
import { linkArtifact, linkArtifactNeeds } from '#shared/training/wire/link-artifact.ts';

export const handler = serve(downloadTraining, linkArtifactNeeds, async (input, needs) => {
  const { url, contentType } = await linkArtifact(input, needs);
  return reply(307, { location: url, 'content-type': contentType });
});
