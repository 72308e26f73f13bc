import * as z from 'zod';

/** Tools of one server: a listing with more is refused, and of a replayed one no more are taken. */
export const TOOLS_MAX = 256;

/** A tool of a remote server, as a listing has it. */
export const ListedTool = z.object({
  name: z.string().min(1).describe('Name of the tool.'),
  description: z.string().nullable().describe('What the tool does; null when the server does not say.'),
  input_schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the arguments.'),
  annotations: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('Hints of the server about the tool, such as `readOnlyHint`; null when there are none.'),
});
export type ListedTool = z.infer<typeof ListedTool>;
