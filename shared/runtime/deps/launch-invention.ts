import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { createFreeUseLimiter } from '../../adapters/dynamodb/rate-limiter.ts';
import { callFunction } from '../../adapters/lambda/call-function.ts';
import { launchInvention as launch } from '../../operations/launch-invention.ts';
import type { InventedDataset } from '../../schema/invent.ts';
import { Inference } from '../../schema/invention.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { newUuid } from './ids.ts';
import { theLaunchRun } from './launch-run.ts';
import { theLedger } from './ledger.ts';
import { theTable } from './table.ts';

const INFER_TOPICS = 'tasks/topics/infer-topics';

type LaunchInvention = (input: Parameters<typeof launch>[1]) => Promise<InventedDataset>;

/** Starts to generate a dataset. Another function has the models, which keeps this one small. */
export const launchInvention = need<LaunchInvention>(
  {
    table: 'write',
    credits: 'write',
    bucket: { write: ['runs'] },
    starts: ['invent'],
    invokes: [INFER_TOPICS],
  },
  () => {
    const functionName = env.functionName(INFER_TOPICS);
    const ports = {
      datasets: createDatasetRepository(theTable()),
      ledger: theLedger(),
      launchRun: theLaunchRun(),
      newId: newUuid.get(),
      freeUses: createFreeUseLimiter(theTable()),
      infer: async (prompt: string) => Inference.parse(await callFunction(functionName, { prompt })),
    };
    return (input) => launch(ports, input);
  },
);
