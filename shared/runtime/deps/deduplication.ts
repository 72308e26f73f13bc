import { findDuplicates as find } from '../../operations/find-duplicates.ts';
import { signChunk as sign } from '../../operations/sign-chunk.ts';
import type { ChunkPlan, RunContext } from '../../schema/run-context.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';

/** Writes the signatures of a chunk's rows. */
export const signChunk = need<(chunk: ChunkPlan) => ReturnType<typeof sign>>(
  { bucket: { read: ['datasets', 'runs'], write: ['runs'] } },
  () => (chunk) => sign(theObjects(), chunk),
);

/** Finds duplicate rows. */
export const findDuplicates = need<(context: RunContext) => ReturnType<typeof find>>(
  { bucket: { read: ['runs'], write: ['runs'] } },
  () => (context) => find(theObjects(), context),
);
