import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import type { BatchPlan, RunContext } from '#shared/runs/schema/run-context.ts';
import { findDuplicates as find } from '../find-duplicates.ts';
import { signChunk as sign } from '../sign-chunk.ts';

/** Writes the signatures of a chunk's rows. */
export const signChunk = /* @__PURE__ */ need<(chunk: BatchPlan) => ReturnType<typeof sign>>(
  { bucket: { read: ['datasets', 'runs'], write: ['runs'] } },
  (use) => (chunk) => sign(use(theObjects), chunk),
);

/** Finds duplicate rows. */
export const findDuplicates = /* @__PURE__ */ need<(context: RunContext) => ReturnType<typeof find>>(
  { bucket: { read: ['runs'], write: ['runs'] } },
  (use) => (context) => find(use(theObjects), context),
);
