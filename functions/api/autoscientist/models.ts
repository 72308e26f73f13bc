import { listBaseModels as contract } from '#shared/contracts/training.ts';
import { listBaseModels } from '#shared/domain/training/catalog.ts';
import { trainers } from '#shared/runtime/deps/trainers.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(contract, { trainers }, async (_, { trainers }) => ({
  models: listBaseModels(trainers),
}));
