import { need } from '#shared/platform/runtime/need.ts';
import { theLaunchRun } from '#shared/runs/wire/launch-run.ts';
import { startIngest as start } from '../complete-upload.ts';

type StartIngest = (input: Parameters<typeof start>[1]) => ReturnType<typeof start>;

export const startIngest = /* @__PURE__ */ need<StartIngest>(
  { table: 'write', credits: 'write', starts: ['ingest', 'import'] },
  (use) => {
    const launchRun = theLaunchRun(use);
    return (input) => start(launchRun, input);
  },
);
