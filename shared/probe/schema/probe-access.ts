import * as z from 'zod';

/** What the secret of the probe holds, as JSON: `npm run admin -- probe start` stores it. */
export const ProbeAccess = z.object({ api_url: z.url(), api_key: z.string().min(1) });
export type ProbeAccess = z.infer<typeof ProbeAccess>;
