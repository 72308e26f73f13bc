import * as z from 'zod';

export const Length = z.enum(['minimal', 'concise', 'detailed', 'extensive']);
export type Length = z.infer<typeof Length>;
