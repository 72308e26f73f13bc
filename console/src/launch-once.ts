import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { createLaunchKeys } from './launch-keys.ts';

/**
 * Launches a request once, however often it is clicked.
 * @param send sends a request with its idempotency key
 * @param onLaunched what follows a launch, once the state of the dataset is known again
 */
export function useLaunchOnce<Request extends object, Answer>(
  datasetId: string,
  send: (request: Request, key: string) => Promise<Answer>,
  onLaunched: (answer: Answer) => void | Promise<void>,
) {
  const queries = useQueryClient();
  const [keys] = useState(() => createLaunchKeys());
  // The second click of a double click comes before the button is shown as disabled.
  const isUnderWay = useRef(false);
  const mutation = useMutation({
    mutationFn: (request: Request) => send(request, keys.keyOf(request)),
    onSuccess: async (answer) => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['dataset', datasetId, 'status'] }),
        queries.invalidateQueries({ queryKey: ['dataset', datasetId, 'record'] }),
        // It is read anew where the run has ended; now it would tell of one that has just begun.
        queries.invalidateQueries({ queryKey: ['dataset', datasetId, 'report'], refetchType: 'none' }),
        queries.invalidateQueries({ queryKey: ['datasets'] }),
        queries.invalidateQueries({ queryKey: ['me'] }),
      ]);
      keys.launched();
      await onLaunched(answer);
    },
    onSettled: () => {
      isUnderWay.current = false;
    },
  });
  return {
    isPending: mutation.isPending,
    error: mutation.error,
    isOf: (request: Request | null): boolean =>
      request !== null && JSON.stringify(mutation.variables) === JSON.stringify(request),
    start: (request: Request): void => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      mutation.mutate(request);
    },
  };
}
