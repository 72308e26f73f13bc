import { serve } from '#shared/platform/runtime/serve.ts';
import { listInputItems as contract } from '#shared/responses/contracts/responses.ts';
import { readAnswered } from '#shared/responses/decide/chain.ts';
import {
  includedIn,
  pageOfInput,
  requireIncludable,
  visibleItems,
} from '#shared/responses/decide/stored-response.ts';
import { responses } from '#shared/responses/wire-bucket.ts';

export const handler = serve(
  contract,
  { responses: responses({ read: ['responses'] }) },
  async ({ caller, params, query, now }, { responses }) => {
    const { response_id: id } = params;
    const included = requireIncludable(caller, includedIn(query));
    const items = await readAnswered(responses, caller.team_id, id, now, included);
    return pageOfInput(visibleItems(caller, items), query);
  },
);
