import { inventDataset } from '#shared/contracts/invent.ts';
import { launchInvention } from '#shared/runtime/deps/launch-invention.ts';
import { serve } from '#shared/runtime/serve.ts';

export const handler = serve(
  inventDataset,
  { launchInvention },
  async ({ caller, body, now }, { launchInvention }) => launchInvention({ caller, request: body, now }),
);
