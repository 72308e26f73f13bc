import { serve } from '#shared/platform/runtime/serve.ts';
import { listModels as contract } from '#shared/responses/contracts/models.ts';
import { listModels } from '#shared/responses/decide/list-models.ts';
import { hostedModels, onSilentEndpoint, servedTrainings, stacks } from '#shared/responses/wire.ts';
import { trainings } from '#shared/training/wire.ts';

const needs = {
  hostedModels,
  servedTrainings,
  stacks,
  trainings: trainings('read'),
  onSilent: onSilentEndpoint,
};

export const handler = serve(contract, needs, ({ caller, query, signal }, needs) =>
  listModels(
    { ...needs, hosted: needs.hostedModels, served: needs.servedTrainings },
    caller.team_id,
    query.type,
    signal,
  ),
);
