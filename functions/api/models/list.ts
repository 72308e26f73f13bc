import { serve } from '#shared/platform/runtime/serve.ts';
import { listModels as contract } from '#shared/responses/contracts/models.ts';
import { listModels } from '#shared/responses/decide/list-models.ts';
import { hostedModels, servedTrainings } from '#shared/responses/wire/answering-models.ts';
import { stacks } from '#shared/responses/wire/stacks.ts';
import { trainings } from '#shared/training/wire/trainings.ts';

const needs = { hostedModels, servedTrainings, stacks, trainings };

export const handler = serve(contract, needs, ({ caller, query, signal }, needs) =>
  listModels(
    { ...needs, hosted: needs.hostedModels, served: needs.servedTrainings },
    caller.team_id,
    query.type,
    signal,
  ),
);
