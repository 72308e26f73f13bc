import { getOpenApi } from '#shared/contracts/service.ts';
import { serve } from '#shared/runtime/serve.ts';
import document from '../../../openapi.json' with { type: 'json' };

export const handler = serve(getOpenApi, {}, async () => document);
