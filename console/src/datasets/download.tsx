import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from 'tunesmith';
import { useApi } from '../api.tsx';
import { Failure } from '../ui/parts.tsx';

const FORMATS = {
  csv: 'CSV',
  json: 'JSON',
  jsonl: 'JSONL',
  parquet: 'Parquet',
  openai: 'OpenAI',
  sharegpt: 'ShareGPT',
  alpaca: 'Alpaca',
  trl: 'TRL',
  dataset_info: 'LLaMA-Factory’s dataset_info',
  axolotl: 'Axolotl’s config',
} as const;
type Format = keyof typeof FORMATS;

/**
 * Downloads the rows of a version, or of the current one. The link is asked for with the key, and then needs none.
 */
export function Download({ id, version }: { readonly id: string; readonly version?: number }) {
  const { client } = useApi();
  const [format, setFormat] = useState<Format>('csv');
  const download = useMutation({
    mutationFn: () =>
      dataOf(
        client.GET('/api/v1/datasets/{dataset_id}/download-link', {
          params: {
            path: { dataset_id: id },
            query: { fileFormat: format, ...(version === undefined ? {} : { version }) },
          },
        }),
      ),
    onSuccess: ({ url, file_name }) => saveLink(url, file_name),
  });
  return (
    <div className="stack">
      <div className="line">
        <select
          aria-label="Format of the download"
          className="narrow"
          value={format}
          onChange={(event) => setFormat(event.target.value as Format)}
        >
          {Object.entries(FORMATS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <button type="button" disabled={download.isPending} onClick={() => download.mutate()}>
          {download.isPending ? 'Preparing the file …' : 'Download'}
        </button>
      </div>
      {download.isError ? <Failure error={download.error} retry={() => download.mutate()} /> : null}
    </div>
  );
}

/** Has the browser save the file behind a link. */
export function saveLink(url: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.rel = 'noreferrer';
  link.click();
}
