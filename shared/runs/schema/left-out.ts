import * as z from 'zod';
import { OPTIONAL_PARTS } from '#shared/platform/schema/optional-part.ts';

/** What requests to models of a run left out, because the models do not take it: by model id. */
export const LeftOut = z.record(z.string(), z.array(z.enum(OPTIONAL_PARTS)));
export type LeftOut = z.infer<typeof LeftOut>;
