import { serve } from '#shared/platform/runtime/serve.ts';
import { deleteResponse as contract } from '#shared/responses/contracts/responses.ts';
import { requireResponse } from '#shared/responses/decide/stored-response.ts';
import { responses } from '#shared/responses/wire-bucket.ts';

export const handler = serve(
  contract,
  { responses: responses({ read: ['responses'], delete: ['responses'] }) },
  async ({ caller, params: { response_id: id }, now }, { responses }) => {
    await requireResponse(responses, caller.team_id, id, now);
    await responses.remove(caller.team_id, id);
    return { id, object: 'response.deleted', deleted: true } as const;
  },
);
