import { serve } from '#shared/platform/runtime/serve.ts';
import { listInputItems as contract } from '#shared/responses/contracts/responses.ts';
import { readAnswered } from '#shared/responses/decide/chain.ts';
import { includedIn, pageOfInput } from '#shared/responses/decide/stored-response.ts';
import { responses } from '#shared/responses/wire-bucket.ts';

export const handler = serve(
  contract,
  { responses: responses({ read: ['responses'] }) },
  async ({ caller, params, query, now }, { responses }) => {
    const { response_id: id } = params;
    const items = await readAnswered(responses, caller.team_id, id, now, includedIn(query));
    return pageOfInput(items, query);
  },
);
