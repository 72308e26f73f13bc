import { dataOf } from 'tunesmith';
import { useApi } from '../api.tsx';
import { useLaunchOnce } from '../launch-once.ts';
import { type AdaptRequest, launchRequestOf } from './settings.ts';

/** Launches an adaptation once, however often it is clicked. */
export function useAdaptation(datasetId: string, onLaunched: () => void) {
  const { client } = useApi();
  return useLaunchOnce(
    datasetId,
    (request: AdaptRequest, key) =>
      dataOf(
        client.POST('/api/v1/datasets/{dataset_id}/adapt', {
          params: { path: { dataset_id: datasetId } },
          body: launchRequestOf(request, key),
        }),
      ),
    onLaunched,
  );
}
