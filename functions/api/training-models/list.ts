import { serve } from '#shared/platform/runtime/serve.ts';
import { listTrainingModels } from '#shared/training/contracts.ts';
import { listBaseModels } from '#shared/training/decide/catalog.ts';
import { trainers } from '#shared/training/wire.ts';

export const handler = serve(listTrainingModels, { trainers }, async (_, { trainers }) => ({
  models: listBaseModels(trainers),
}));
