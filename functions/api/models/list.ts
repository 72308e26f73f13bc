import { listModels as contract } from '#shared/contracts/models.ts';
import { listModels } from '#shared/domain/responses/list-models.ts';
import { hostedModels, servedTrainings } from '#shared/runtime/deps/answering-models.ts';
import { stacks } from '#shared/runtime/deps/stacks.ts';
import { trainings } from '#shared/runtime/deps/trainings.ts';
import { serve } from '#shared/runtime/serve.ts';

const needs = { hostedModels, servedTrainings, stacks, trainings };

export const handler = serve(contract, needs, ({ caller, query, signal }, needs) =>
  listModels(
    { ...needs, hosted: needs.hostedModels, served: needs.servedTrainings },
    caller.team_id,
    query.type,
    signal,
  ),
);
