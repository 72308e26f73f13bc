import { validateCombination } from '#shared/growth/contracts/combine.ts';
import { checkCombination } from '#shared/growth/wire/check-combination.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  validateCombination,
  { checkCombination },
  async ({ caller, body }, { checkCombination }) => {
    const { validation } = await checkCombination(caller, body.dataset_ids);

    return validation;
  },
);
