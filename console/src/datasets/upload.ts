import {
  dataOf,
  errorOfNetwork,
  FILE_EXTENSIONS,
  formatOf,
  type TunesmithClient,
  TunesmithError,
} from 'tunesmith';

/** What the file dialog offers. */
export const ACCEPTED = FILE_EXTENSIONS.map((extension) => `.${extension.split('.').at(-1)}`).join(',');

export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/**
 * Sends files and makes one dataset of them.
 * @returns the id of the dataset, which the service then reads
 * @throws {TunesmithError} in the service's words, or `AbortError` after `signal`
 */
export async function uploadFiles(
  client: TunesmithClient,
  files: readonly File[],
  name: string,
  signal: AbortSignal,
  onProgress: (progress: UploadProgress) => void,
): Promise<string> {
  const announced = files.map((file) => {
    const format = formatOf(file.name);
    if (format === null) throw new Error(`The service reads no files like ${file.name}.`);
    return { file_name: file.name, file_format: format, file_size_bytes: file.size };
  });
  const { dataset_id, uploads } = await dataOf(
    client.POST('/api/v1/datasets/upload/initiate-batch', { signal, body: { name, files: announced } }),
  );
  try {
    await putFiles(files, uploads, signal, onProgress);
    await dataOf(
      client.POST('/api/v1/datasets/upload/complete-batch', {
        signal,
        body: {
          dataset_id,
          files: announced.map((file, index) => ({ ...file, s3_key: uploads[index]?.s3_key ?? '' })),
        },
      }),
    );
  } catch (error) {
    // Without its files the dataset would wait for ever. The reader is told of the first error, not of this one.
    await client
      .DELETE('/api/v1/datasets/{dataset_id}', { params: { path: { dataset_id } } })
      .catch(() => undefined);
    throw error;
  }
  return dataset_id;
}

async function putFiles(
  files: readonly File[],
  uploads: readonly { readonly upload_url: string }[],
  signal: AbortSignal,
  onProgress: (progress: UploadProgress) => void,
): Promise<void> {
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  let sentBefore = 0;
  for (const [index, file] of files.entries()) {
    const upload = uploads[index];
    if (upload === undefined) throw new Error('The service answered with too few uploads.');
    await putFile(upload.upload_url, file, signal, (sent) =>
      onProgress({ sentBytes: sentBefore + sent, totalBytes }),
    );
    sentBefore += file.size;
  }
}

/** Sends a file to its URL. `fetch` tells nothing of what has been sent, XMLHttpRequest does. */
export function putFile(
  url: string,
  file: File,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = (): void => request.abort();
    signal.addEventListener('abort', abort);
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => {
      if (request.status < 300) return resolve();
      reject(
        new TunesmithError(
          `The storage refused ${file.name} (status ${request.status}). Try again; a link to upload works for an hour.`,
          { status: request.status, code: 'unknown', requestId: null, details: [], retryAfterSeconds: null },
        ),
      );
    };
    request.onerror = () => reject(errorOfNetwork(new Error(`${file.name} could not be sent.`)));
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => signal.removeEventListener('abort', abort);
    request.open('PUT', url);
    request.send(file);
  });
}
