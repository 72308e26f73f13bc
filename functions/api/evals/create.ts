import { createEval as contract } from '#shared/evals/contracts.ts';
import { toEval } from '#shared/evals/decide/records.ts';
import { createEval } from '#shared/evals/manage-evals.ts';
import { evals } from '#shared/evals/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { newId } from '#shared/platform/wire.ts';

export const handler = serve(
  contract,
  { evals: evals('write'), newId },
  async ({ caller, body, now }, ports) => toEval(await createEval(ports, caller, body, now)),
);
