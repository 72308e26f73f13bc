import { useQuery } from '@tanstack/react-query';
import { useSettled } from './use-settled.ts';

const TYPING_PAUSE_MS = 400;

export interface Quoted<Answer> {
  /** The price of exactly the request that was given; null while it is not known. */
  readonly quote: Answer | null;
  readonly error: unknown;
  readonly retry: () => void;
}

/**
 * Asks for the price of a request, after a pause in which it stays the same. An answer belongs to its request: that of
 * earlier settings is never given for newer ones.
 * @param of what is priced, to tell its answers from others
 * @param request null while there is nothing to price
 * @param ask sends the request as an estimate
 */
export function useQuoted<Request extends object, Answer>(
  of: readonly string[],
  request: Request | null,
  ask: (request: Request, signal: AbortSignal) => Promise<Answer>,
): Quoted<Answer> {
  const current = request === null ? null : JSON.stringify(request);
  const { value: text, isSettled } = useSettled(current, TYPING_PAUSE_MS);
  const query = useQuery({
    queryKey: [...of, 'estimate', text],
    queryFn: ({ signal }) => ask(JSON.parse(text ?? '{}') as Request, signal),
    enabled: text !== null,
    staleTime: 60_000,
  });
  const isOfNow = isSettled && text !== null;
  return {
    quote: isOfNow ? (query.data ?? null) : null,
    error: isOfNow ? query.error : null,
    retry: () => void query.refetch(),
  };
}
