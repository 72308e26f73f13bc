import { createFunctionInvoker } from '../../adapters/lambda/function-invoker.ts';
import { exportFile as wait } from '../../operations/export-file.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';

type ExportFile = (input: Parameters<typeof wait>[1]) => Promise<void>;

export const exportFile = need<ExportFile>(
  { bucket: { read: ['exports'] }, invokes: ['tasks/exports/build-export'] },
  () => {
    const invoker = createFunctionInvoker(env.functionName('tasks/exports/build-export'));
    return (input) => wait({ objects: theObjects(), startBuild: (payload) => invoker.start(payload) }, input);
  },
);
