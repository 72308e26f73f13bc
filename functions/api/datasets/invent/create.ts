import { inventDataset } from '#shared/growth/contracts/invent.ts';
import { launchInvention } from '#shared/growth/wire/launch-invention.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

export const handler = serve(
  inventDataset,
  { launchInvention },
  async ({ caller, body, now }, { launchInvention }) => launchInvention({ caller, request: body, now }),
);
