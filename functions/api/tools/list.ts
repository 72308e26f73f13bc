import { serve } from '#shared/platform/runtime/serve.ts';
import { listTools as contract } from '#shared/responses/contracts/tools.ts';
import { listHostedTools } from '#shared/responses/decide/tool-catalog.ts';
import { toolCatalog } from '#shared/responses/wire.ts';

export const handler = serve(contract, { toolCatalog }, async ({ caller }, { toolCatalog }) => ({
  object: 'list' as const,
  data: listHostedTools(toolCatalog, caller),
}));
