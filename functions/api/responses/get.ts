import { getResponse as contract } from '#shared/contracts/responses.ts';
import { requireReadable } from '#shared/domain/responses/readable.ts';
import { includedIn, outputWith, requireResponse } from '#shared/domain/responses/stored-response.ts';
import { responses } from '#shared/runtime/deps/responses.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  contract,
  { responses: responses({ read: ['responses'] }) },
  async ({ caller, params, query, now }, { responses }) => {
    const stored = await requireResponse(responses, caller.team_id, params.response_id, now);
    return requireReadable({ ...stored.response, output: outputWith(stored, includedIn(query)) });
  },
);
