import { requireScope } from '#shared/platform/access/caller.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { getResponse as contract } from '#shared/responses/contracts/responses.ts';
import { requireReadable } from '#shared/responses/decide/readable.ts';
import { includedIn, outputWith, requireResponse } from '#shared/responses/decide/stored-response.ts';
import { responses } from '#shared/responses/wire-bucket.ts';

export const handler = serve(
  contract,
  { responses: responses({ read: ['responses'] }) },
  async ({ caller, params, query, now }, { responses }) => {
    const included = includedIn(query);
    // Rows of datasets that a search found, perhaps for another key of the team.
    if (included.includes('file_search_call.results')) requireScope(caller, 'datasets:read');
    const stored = await requireResponse(responses, caller.team_id, params.response_id, now);
    return requireReadable({ ...stored.response, output: outputWith(stored, included) });
  },
);
