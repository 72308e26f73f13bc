import * as z from 'zod';
import type { LikelyToken, TokenLogprob } from '../decide/turn.ts';

const likely = {
  token: z.string(),
  logprob: z.number(),
  // Responses stream without them, and some servers never send them.
  bytes: z.array(z.int().min(0).max(255)).nullish().catch(null),
};
const Logprobs = z.array(
  z.object({ ...likely, top_logprobs: z.array(z.object(likely)).nullish().catch(null) }),
);

type Likely = z.infer<z.ZodObject<typeof likely>>;

const withBytes = ({ token, logprob, bytes }: Likely): LikelyToken => ({
  token,
  bytes: bytes ?? [...Buffer.from(token)],
  logprob,
});

/** The probabilities of tokens as a provider sends them; none of what has another form. */
export function readLogprobs(value: unknown): TokenLogprob[] {
  return (Logprobs.safeParse(value).data ?? []).map(({ top_logprobs: top, ...token }) => ({
    ...withBytes(token),
    top_logprobs: (top ?? []).map(withBytes),
  }));
}
