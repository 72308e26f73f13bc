import { serve } from '#shared/platform/runtime/serve.ts';
import { getResponse as contract } from '#shared/responses/contracts/responses.ts';
import { requireReadable } from '#shared/responses/decide/readable.ts';
import {
  includedIn,
  outputWith,
  requireIncludable,
  requireResponse,
  visibleItems,
} from '#shared/responses/decide/stored-response.ts';
import { responses } from '#shared/responses/wire-bucket.ts';

export const handler = serve(
  contract,
  { responses: responses({ read: ['responses'] }) },
  async ({ caller, params, query, now }, { responses }) => {
    const included = requireIncludable(caller, includedIn(query));
    const stored = await requireResponse(responses, caller.team_id, params.response_id, now);
    return requireReadable({
      ...stored.response,
      output: visibleItems(caller, outputWith(stored, included)),
    });
  },
);
