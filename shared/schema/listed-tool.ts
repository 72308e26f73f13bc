import * as z from 'zod';

/** A tool of a remote server, as a listing has it. */
export const ListedTool = z.object({
  name: z.string().min(1),
  description: z.string().nullable(),
  /** JSON schema of an object. */
  input_schema: z.record(z.string(), z.unknown()),
  /** As the server says it; `readOnlyHint` decides which tools `read_only` selects. */
  annotations: z.record(z.string(), z.unknown()).nullable(),
});
export type ListedTool = z.infer<typeof ListedTool>;
