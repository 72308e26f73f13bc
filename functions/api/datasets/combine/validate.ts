import { validateCombination } from '#shared/contracts/combine.ts';
import { checkCombination } from '#shared/runtime/deps/check-combination.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  validateCombination,
  { checkCombination },
  async ({ caller, body }, { checkCombination }) => {
    const { validation } = await checkCombination(caller, body.dataset_ids);

    return validation;
  },
);
