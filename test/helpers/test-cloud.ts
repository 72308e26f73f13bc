import { inject } from 'vitest';
import type { TestCloud } from './cloud-setup.ts';
import type { Script } from './scripted-model.ts';

/** What the model of a cloud does at the start of each file. */
export const STANDARD_SCRIPT: Script = { judge: 'fair' };

/** The cloud of the worker that runs this file. No other file uses it meanwhile, nor the scripted model behind it. */
export function testCloud(): TestCloud {
  const cloud = inject('clouds')[Number(process.env.VITEST_POOL_ID) - 1];
  if (cloud === undefined) throw new Error('The set-up of the project has started no cloud for this worker.');
  return cloud;
}
