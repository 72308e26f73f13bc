import { serve } from '#shared/platform/runtime/serve.ts';
import { recordVerdicts as contract } from '#shared/review/contracts/review.ts';
import { recordVerdicts } from '#shared/review/record-verdicts.ts';
import { verdictWrites } from '#shared/review/wire.ts';

export const handler = serve(
  contract,
  verdictWrites,
  async ({ caller, params, body, signal, now }, ports) => {
    const dataset = await ports.datasets.require(caller, params.dataset_id);
    return recordVerdicts(ports, { caller, dataset, request: body, signal, now });
  },
);
