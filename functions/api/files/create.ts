import { createFile as contract } from '#shared/openai/contracts/files.ts';
import { createFile } from '#shared/openai/create-file.ts';
import { toFile } from '#shared/openai/decide/files.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { newId } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { launchRun } from '#shared/runs/wire.ts';

export const handler = serve(
  contract,
  { launchRun: launchRun(['ingest']), objects: objects({ write: ['uploads', 'datasets'] }), newId },
  async ({ caller, form: { file, purpose }, now }, ports) => {
    const content = Buffer.from(await file.arrayBuffer());
    return toFile(await createFile(ports, { caller, name: file.name, purpose, content, now }));
  },
);
