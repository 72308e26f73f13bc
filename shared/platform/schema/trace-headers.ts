import * as z from 'zod';

/** The caller's trace, handed on to a function (W3C Trace Context). */
export const TraceHeaders = z.object({ traceparent: z.string(), tracestate: z.string().optional() });
