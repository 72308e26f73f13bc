import { deleteResponse as contract } from '#shared/contracts/responses.ts';
import { requireResponse } from '#shared/domain/responses/stored-response.ts';
import { responses } from '#shared/runtime/deps/responses.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  contract,
  { responses: responses({ read: ['responses'], delete: ['responses'] }) },
  async ({ caller, params: { response_id: id }, now }, { responses }) => {
    await requireResponse(responses, caller.team_id, id, now);
    await responses.remove(caller.team_id, id);
    return { id, object: 'response.deleted', deleted: true } as const;
  },
);
