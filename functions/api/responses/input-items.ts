import { listInputItems as contract } from '#shared/contracts/responses.ts';
import { pageOfInput, requireResponse } from '#shared/domain/responses/stored-response.ts';
import { responses } from '#shared/runtime/deps/responses.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  contract,
  { responses: responses({ read: ['responses'] }) },
  async ({ caller, params, query, now }, { responses }) => {
    const { input } = await requireResponse(responses, caller.team_id, params.response_id, now);
    return pageOfInput(input, query);
  },
);
