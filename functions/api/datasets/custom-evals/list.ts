import { listCustomEvals } from '#shared/contracts/custom-evals.ts';
import { toCustomEval } from '#shared/domain/custom-evals/record.ts';
import { customEvals } from '#shared/runtime/deps/custom-evals.ts';
import { datasets } from '#shared/runtime/deps/datasets.ts';
import { serve } from '#shared/runtime/serve.ts';

/** The list has no pages; as JSON a rubric can have 120 kB, and a response at most 6 MB. */
const SHOWN_MAX = 40;

export const handler = serve(
  listCustomEvals,
  { datasets: datasets('read'), customEvals },
  async ({ caller, params, now }, { datasets, customEvals }) => {
    const { dataset_id } = await datasets.require(caller, params.dataset_id);
    const found = await customEvals.list(dataset_id);

    return { items: found.slice(0, SHOWN_MAX).map((each) => toCustomEval(each, now)) };
  },
);
