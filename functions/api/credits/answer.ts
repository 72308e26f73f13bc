import { getAnswerCost } from '#shared/access/contracts.ts';
import { findAnswerCost } from '#shared/access/read-credit-usage.ts';
import { meter } from '#shared/access/wire.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  getAnswerCost,
  { meter: meter('read') },
  async ({ caller, params: { response_id } }, { meter }) => {
    const cost = await findAnswerCost(meter, caller.team_id, response_id);
    if (cost !== null) return cost;
    throw new ServiceError(
      'response_not_found',
      `No answer ${JSON.stringify(response_id)} has been billed. An answer is billed when it ends, and its cost is kept for 30 days. If it has just ended, try again in a moment.`,
    );
  },
);
