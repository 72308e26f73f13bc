import * as z from 'zod';

/** For 1,000 tokens; the ledger counts thousandths. */
const Credits = z.number().min(0).max(1000).multipleOf(0.001);

/** A model that answers every team, as the operator's catalog has it. What is left out has a default. */
export const HostedModel = z.strictObject({
  /** As its provider calls it, and as requests do. */
  id: z.string().min(1),
  input_credits: Credits.optional(),
  output_credits: Credits.optional(),
  /** Tokens that a conversation and its answer may have together. */
  context_tokens: z.int().min(1).optional(),
  display_name: z.string().min(1).optional(),
  /** Tools that its provider runs, by type, with the credits for one call. Other types are refused. */
  provider_tools: z.record(z.string().min(1), Credits).optional(),
  /** When it came out, in seconds since the epoch. */
  created: z.int().min(0).optional(),
  owned_by: z.string().min(1).optional(),
  /** Day on which the operator will take it away. */
  shutdown_date: z.iso.date().optional(),
});
export type HostedModel = z.infer<typeof HostedModel>;

export const HostedModels = z.array(HostedModel);
