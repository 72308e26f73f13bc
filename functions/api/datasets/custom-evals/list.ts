import { datasets } from '#shared/datasets/wire.ts';
import { listCustomEvals } from '#shared/judging/contracts.ts';
import { toCustomEval } from '#shared/judging/decide/custom-evals/record.ts';
import { customEvals } from '#shared/judging/wire.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

/** The list has no pages; as JSON a rubric can have 120 kB, and a response at most 6 MB. */
const SHOWN_MAX = 40;

export const handler = serve(
  listCustomEvals,
  { datasets: datasets('read'), customEvals: customEvals('read') },
  async ({ caller, params, now }, { datasets, customEvals }) => {
    const { dataset_id } = await datasets.require(caller, params.dataset_id);
    const found = await customEvals.list(dataset_id, SHOWN_MAX);

    return { items: found.map((each) => toCustomEval(each, now)) };
  },
);
