import { checkCombination } from '#shared/growth/check-combination.ts';
import { validateCombination } from '#shared/growth/contracts/combine.ts';
import { combinationCheck } from '#shared/growth/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(validateCombination, combinationCheck, async ({ caller, body }, ports) => {
  const { validation } = await checkCombination(ports, caller, body.dataset_ids);
  return validation;
});
