import { listFineTuningJobs } from '#shared/openai/contracts/fine-tuning.ts';
import { hasMetadata, requireJob, toJob, wantedMetadata } from '#shared/openai/decide/fine-tuning.ts';
import { pageOf } from '#shared/openai/decide/page.ts';
import { PAGE_DEFAULT, PAGE_MAX } from '#shared/openai/schema/page.ts';
import { serve } from '#shared/platform/runtime/serve.ts';
import { placeInList } from '#shared/training/decide/listing.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { trainings } from '#shared/training/wire.ts';

/** Trainings that one request looks at for those with some metadata. */
const LOOKED_AT_MAX = 1000;

export const handler = serve(
  listFineTuningJobs,
  { trainings: trainings('read') },
  async ({ caller: { team_id }, query: { after, limit = PAGE_DEFAULT, ...others } }, { trainings }) => {
    const wanted = wantedMetadata(others);
    const last = after === undefined ? null : await requireJob(trainings, team_id, after);
    let place: string | null = last === null ? null : placeInList(last);
    const found: TrainingRecord[] = [];
    // As many as a page has at most, so that a small limit takes no more queries.
    const atOnce = wanted.length === 0 ? limit : PAGE_MAX;
    for (let looked = 0; looked < LOOKED_AT_MAX; looked += atOnce) {
      const page = await trainings.list(team_id, { limit: atOnce, after: place });
      for (const training of page.trainings) {
        if (!hasMetadata(training, wanted)) continue;
        if (found.length === limit) return pageOf(found.map(toJob), true);
        found.push(training);
      }
      place = page.next;
      if (place === null) break;
    }
    return pageOf(found.map(toJob), place !== null && found.length > 0);
  },
);
