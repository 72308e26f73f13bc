import * as z from 'zod';

/** An inference stack: a model with the tools and datasets that it may use. An operator defines it. */
export const Stack = z.object({
  team_id: z.uuid(),
  /** Callers name it as `stack:<slug>`. */
  slug: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/),
  /** A hosted model's id or a training's. */
  model: z.string().min(1),
  instructions: z.string().nullable(),
  /** Labels of the hosted tool servers that requests may name. */
  tool_labels: z.array(z.string()),
  /** Hosts (`host` or `host:port`) of the servers that requests may name by `server_url`. */
  server_hosts: z.array(z.string()),
  /** Datasets that requests may search. */
  dataset_ids: z.array(z.uuid()),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Stack = z.infer<typeof Stack>;

export interface StackRepository {
  find(teamId: string, slug: string): Promise<Stack | null>;
  /** By slug. */
  list(teamId: string): Promise<readonly Stack[]>;
  put(stack: Stack): Promise<void>;
  /** Returns whether there was one. */
  remove(teamId: string, slug: string): Promise<boolean>;
}
