import * as z from 'zod';

const JsonSchema = z.record(z.string(), z.unknown());

/** One endpoint of the API, as a tool or a resource calls it. */
const Endpoint = z.object({
  /** Id of its function: `api/datasets/list`. */
  function_id: z.string(),
  method: z.string(),
  path: z.string(),
  /** Names of arguments that go into the path, and into the query; all others are fields of the body. */
  path_names: z.array(z.string()),
  query_names: z.array(z.string()),
  has_body: z.boolean(),
});
export type Endpoint = z.infer<typeof Endpoint>;

/** A tool: one endpoint, with what the tool adds to it. */
export const CatalogTool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  input_schema: JsonSchema,
  is_read_only: z.boolean(),
  is_destructive: z.boolean(),
  endpoint: Endpoint,
  /** Fields of the body that the tool sets. */
  fixed: z.record(z.string(), z.unknown()),
  /** The field of an estimate's answer that has the credits; null for a tool that is called without an estimate. */
  credits_field: z.string().nullable(),
  /** Statuses at which a wait ends; null for a tool that does not wait. */
  ends: z.array(z.string()).nullable(),
  /** Arguments that the endpoint does not require, and the tool does. */
  required: z.array(z.string()),
});
export type CatalogTool = z.infer<typeof CatalogTool>;

/** What an address of a resource stands for: `tunesmith://datasets/{dataset_id}/report`. */
export const CatalogResource = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  template: z.string(),
  endpoint: Endpoint,
});
export type CatalogResource = z.infer<typeof CatalogResource>;

/** What the MCP server offers. The build derives it from the API document, and puts it beside the function. */
export const Catalog = z.object({
  tools: z.array(CatalogTool),
  resources: z.array(CatalogResource),
  /** The guide for agents, `SKILL.md`. */
  guide: z.string(),
});
export type Catalog = z.infer<typeof Catalog>;
