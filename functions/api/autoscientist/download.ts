import { reply, serve } from '#shared/platform/runtime/serve.ts';
import { downloadTraining } from '#shared/training/contracts.ts';
import { artifactLink, linkArtifact } from '#shared/training/wire.ts';

export const handler = serve(downloadTraining, artifactLink, async (input, needs) => {
  const { url, contentType } = await linkArtifact(input, needs);
  return reply(307, { location: url, 'content-type': contentType });
});
