import { listFineTuningJobs } from '#shared/openai/contracts/fine-tuning.ts';
import { requireJob, toJob } from '#shared/openai/decide/fine-tuning.ts';
import { pageOf } from '#shared/openai/decide/page.ts';
import { PAGE_DEFAULT } from '#shared/openai/schema/page.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { placeInList } from '#shared/training/decide/listing.ts';
import { trainings } from '#shared/training/wire.ts';

export const handler = serve(
  listFineTuningJobs,
  { trainings: trainings('read') },
  async ({ caller: { team_id }, query: { after, limit = PAGE_DEFAULT } }, { trainings }) => {
    const last = after === undefined ? null : await requireJob(trainings, team_id, after);
    const page = await trainings.list(team_id, { limit, after: last === null ? null : placeInList(last) });
    return pageOf(page.trainings.map(toJob), page.next !== null);
  },
);
