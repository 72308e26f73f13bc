import { startIngest as start } from '../../operations/complete-upload.ts';
import { need } from '../need.ts';
import { theLaunchRun } from './launch-run.ts';

type StartIngest = (input: Parameters<typeof start>[1]) => ReturnType<typeof start>;

export const startIngest = need<StartIngest>(
  { table: 'write', credits: 'write', starts: ['ingest', 'import'] },
  () => {
    const launchRun = theLaunchRun();
    return (input) => start(launchRun, input);
  },
);
