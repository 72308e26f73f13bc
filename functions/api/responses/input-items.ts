import { listInputItems as contract } from '#shared/contracts/responses.ts';
import { readAnswered } from '#shared/domain/responses/chain.ts';
import { includedIn, pageOfInput } from '#shared/domain/responses/stored-response.ts';
import { responses } from '#shared/runtime/deps/responses.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  contract,
  { responses: responses({ read: ['responses'] }) },
  async ({ caller, params, query, now }, { responses }) => {
    const { response_id: id } = params;
    const items = await readAnswered(responses, caller.team_id, id, now, includedIn(query));
    return pageOfInput(items, query);
  },
);
