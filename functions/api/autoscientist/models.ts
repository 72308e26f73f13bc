import { serve } from '#shared/platform/runtime/serve.ts';
import { listBaseModels as contract } from '#shared/training/contracts.ts';
import { listBaseModels } from '#shared/training/decide/catalog.ts';
import { trainers } from '#shared/training/wire.ts';

export const handler = serve(contract, { trainers }, async (_, { trainers }) => ({
  models: listBaseModels(trainers),
}));
