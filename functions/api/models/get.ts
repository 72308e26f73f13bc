import { serve } from '#shared/platform/runtime/serve.ts';
import { getModel } from '#shared/responses/contracts/models.ts';
import { requireListedModel } from '#shared/responses/decide/list-models.ts';
import { hostedModels, servedTrainings, stacks } from '#shared/responses/wire.ts';
import { trainings } from '#shared/training/wire.ts';

const needs = { hostedModels, servedTrainings, stacks, trainings: trainings('read') };

export const handler = serve(getModel, needs, ({ caller, params, signal }, needs) =>
  requireListedModel(
    { ...needs, hosted: needs.hostedModels, served: needs.servedTrainings },
    caller.team_id,
    params.model,
    signal,
  ),
);
