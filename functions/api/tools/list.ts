import { listTools as contract } from '#shared/contracts/tools.ts';
import { listHostedTools } from '#shared/domain/responses/tool-catalog.ts';
import { toolCatalog } from '#shared/runtime/deps/tool-catalog.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(contract, { toolCatalog }, async ({ caller }, { toolCatalog }) => ({
  object: 'list' as const,
  data: listHostedTools(toolCatalog, caller),
}));
