import { inject } from 'vitest';
import type { TestCloud } from './cloud-setup.ts';

/** The cloud of the worker that runs this file. No other file uses it meanwhile, nor the scripted model behind it. */
export function testCloud(): TestCloud {
  const cloud = inject('clouds')[Number(process.env.VITEST_POOL_ID) - 1];
  if (cloud === undefined) throw new Error('The set-up of the project has started no cloud for this worker.');
  return cloud;
}
