import { createClaims } from '../../adapters/dynamodb/claims.ts';
import { createFunctionInvoker } from '../../adapters/lambda/function-invoker.ts';
import { exportFile as wait } from '../../operations/export-file.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

type ExportFile = (input: Parameters<typeof wait>[1]) => Promise<void>;

export const exportFile = need<ExportFile>(
  { table: 'write', bucket: { read: ['exports'] }, invokes: ['tasks/exports/build-export'] },
  () => {
    const invoker = createFunctionInvoker(env.functionName('tasks/exports/build-export'));
    const claims = createClaims(theTable());
    return (input) =>
      wait({ claims, objects: theObjects(), startBuild: (payload) => invoker.start(payload) }, input);
  },
);
