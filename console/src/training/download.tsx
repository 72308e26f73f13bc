import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, type Schemas } from 'tunesmith';
import { useApi } from '../api.tsx';
import { saveLink } from '../datasets/download.tsx';
import { Dialog, Failure } from '../ui/parts.tsx';

/** Saves the trained model. The link is asked for with the key, and then needs none. */
export function DownloadModel({ run }: { readonly run: Pick<Schemas['TrainingRun'], 'id'> }) {
  const { client } = useApi();
  const [isFailureSeen, setFailureSeen] = useState(true);
  const download = useMutation({
    mutationFn: () =>
      dataOf(
        client.GET('/api/v1/autoscientist/{experiment_id}/download-link', {
          params: { path: { experiment_id: run.id } },
        }),
      ),
    onSuccess: ({ url, file_name: name }) => saveLink(url, name),
    onError: () => setFailureSeen(false),
  });
  return (
    <>
      <button type="button" disabled={download.isPending} onClick={() => download.mutate()}>
        {download.isPending ? 'Preparing the file …' : 'Download'}
      </button>
      {isFailureSeen || download.error === null ? null : (
        <Dialog title="The model was not downloaded" onClose={() => setFailureSeen(true)}>
          <Failure error={download.error} />
          <div className="dialog-foot">
            <button type="button" onClick={() => setFailureSeen(true)}>
              Close
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
