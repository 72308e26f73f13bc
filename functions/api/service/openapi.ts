import { serve } from '#shared/platform/runtime/serve.ts';
import { getOpenApi } from '#shared/service/contracts/service.ts';
import document from '../../../openapi.json' with { type: 'json' };

export const handler = serve(getOpenApi, {}, async () => document);
