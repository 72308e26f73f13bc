import { dataOf, formatOf, type TunesmithClient } from 'tunesmith';
import { putFile, type UploadProgress } from '../datasets/upload.ts';

/**
 * Sends a file with rows to where the service says.
 * @param put sends a file to a URL
 * @returns the key by which the file is appended
 * @throws {TunesmithError} in the service's words, or `AbortError` after `signal`
 */
export async function uploadRows(
  client: TunesmithClient,
  datasetId: string,
  file: File,
  signal: AbortSignal,
  onProgress: (progress: UploadProgress) => void,
  put: typeof putFile = putFile,
): Promise<string> {
  const { upload_instructions: instructions } = await dataOf(
    client.POST('/api/v1/datasets/{dataset_id}/rows', {
      signal,
      params: { path: { dataset_id: datasetId } },
      body: { file: { name: file.name, ...formatField(file.name), file_size_bytes: file.size } },
    }),
  );
  if (instructions === null) throw new Error('The service did not say where to upload the file.');
  await put(instructions.url, file, signal, (sentBytes) => onProgress({ sentBytes, totalBytes: file.size }));
  return instructions.s3_key;
}

/** Formats of images are none of rows. */
const IMAGES = ['png', 'jpg', 'jpeg', 'gif', 'webp'] as const;
type RowsFormat = Exclude<ReturnType<typeof formatOf>, (typeof IMAGES)[number] | null>;

/** The format of a file with rows by its name, or null if the service reads none like it. */
export function rowsFormatOf(name: string): RowsFormat | null {
  const format = formatOf(name);
  return IMAGES.some((image) => image === format) ? null : (format as RowsFormat | null);
}

function formatField(name: string): { readonly file_format?: RowsFormat } {
  const format = rowsFormatOf(name);
  return format === null ? {} : { file_format: format };
}
