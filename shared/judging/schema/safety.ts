import * as z from 'zod';

export const SafetyCategory = z.enum(['violence', 'self_harm', 'harassment', 'hate', 'sexual']);
export type SafetyCategory = z.infer<typeof SafetyCategory>;
