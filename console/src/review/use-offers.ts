import { useCallback, useState } from 'react';
import { useApi } from '../api.tsx';
import type { Offer } from './alike.tsx';
import { readAlike } from './contract.ts';

/** Rows alike to those that were mended, as they are found in the background. The newest offer is the first. */
export function useOffers(datasetId: string, isSettled: (row: Offer['rows'][number]) => boolean) {
  const { client } = useApi();
  const [offers, setOffers] = useState<readonly Offer[]>([]);
  const [failed, setFailed] = useState<{ readonly row: number; readonly error: unknown } | null>(null);
  const forget = useCallback(
    (row: number): void => setOffers((before) => before.filter((offer) => offer.row !== row)),
    [],
  );
  const lookFor = useCallback(
    async (row: number): Promise<void> => {
      setFailed(null);
      try {
        const { rows, is_complete: isComplete } = await readAlike(client, datasetId, row);
        forget(row);
        if (rows.length > 0) setOffers((before) => [{ row, rows, isComplete }, ...before]);
      } catch (error) {
        setFailed({ row, error });
      }
    },
    [client, datasetId, forget],
  );
  // What was called right or mended since is offered no more.
  const open = offers
    .map((offer) => ({ ...offer, rows: offer.rows.filter((row) => !isSettled(row)) }))
    .filter(({ rows }) => rows.length > 0);
  return { offers: open, failed, lookFor, forget, forgetFailed: () => setFailed(null) };
}
