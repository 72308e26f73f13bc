import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import type { RunQuote } from '#shared/adaptation/schema/adaptation.ts';
import type { Dataset, DatasetStatusRecord } from '#shared/datasets/schema/dataset.ts';
import type { Evaluation } from '#shared/datasets/schema/evaluation.ts';
import type { Problem } from '#shared/platform/schema/problem.ts';
import type { RunReport } from '#shared/runs/schema/report.ts';

export interface ApiAnswer<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON of a success; throws, saying the problem, where it is none. */
  readonly body: Body;
  /** The JSON of a refusal; throws, saying the answer, where it is none. */
  readonly problem: z.infer<typeof Problem>;
}

export type Progressed = z.infer<typeof DatasetStatusRecord>;

export interface ApiClient {
  send<Body = unknown>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiAnswer<Body>>;
  /** Creates a dataset of a file, sends the file and completes the upload; answers the dataset's id. */
  upload(
    name: string,
    content: string | Uint8Array<ArrayBuffer>,
    options?: { readonly source?: object; readonly sha256?: string; readonly bytes?: number },
  ): Promise<string>;
  /** Waits until the file has been read, or could not be. */
  untilRead(datasetId: string): Promise<Progressed>;
  adapt(datasetId: string, body: object): Promise<z.infer<typeof RunQuote>>;
  /** Waits until the active run has ended. */
  untilEnded(datasetId: string, seconds?: number): Promise<Progressed>;
  get(datasetId: string): Promise<z.infer<typeof Dataset>>;
  evaluation(datasetId: string): Promise<z.infer<typeof Evaluation>>;
  report(datasetId: string): Promise<z.infer<typeof RunReport>>;
  /** The rows of a download, from its JSONL. */
  rows(datasetId: string): Promise<Record<string, unknown>[]>;
  download(datasetId: string, format?: string): Promise<string>;
}

/** A caller of the running API, with nothing but `fetch`. */
export function createApiClient(apiUrl: string, apiKey: string): ApiClient {
  const send = async <Body>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiAnswer<Body>> => {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: {
        ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const said = `${method} ${path} was answered with ${response.status}: ${text.slice(0, 500)}`;
    return {
      status: response.status,
      headers: response.headers,
      text,
      get body(): Body {
        if (!response.ok) throw new Error(said);
        return JSON.parse(text) as Body;
      },
      get problem(): z.infer<typeof Problem> {
        if (response.ok) throw new Error(said);
        return JSON.parse(text) as z.infer<typeof Problem>;
      },
    };
  };
  const read = async <Body>(path: string): Promise<Body> => (await send<Body>('GET', path)).body;
  const until = async (
    datasetId: string,
    isDone: (status: Progressed) => boolean,
    seconds: number,
  ): Promise<Progressed> => {
    const deadline = Date.now() + seconds * 1000;
    for (;;) {
      const status = await read<Progressed>(`/api/v1/datasets/${datasetId}/status`);
      if (isDone(status)) return status;
      if (Date.now() > deadline)
        throw new Error(`Dataset ${datasetId} is still ${JSON.stringify(status)} after ${seconds} s.`);
      await sleep(300);
    }
  };

  return {
    send,
    async upload(name, content, { source = {}, sha256, bytes } = {}) {
      const created = await send<{ dataset_id: string; upload_instructions: { url: string } }>(
        'POST',
        '/api/v1/datasets',
        { source: { name, ...source } },
      );
      const { dataset_id: datasetId, upload_instructions: instructions } = created.body;
      const put = await fetch(instructions.url, { method: 'PUT', body: content });
      if (!put.ok) throw new Error(`The upload was answered with ${put.status}: ${await put.text()}`);
      const size = bytes ?? (typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength);
      const completed = await send('POST', `/api/v1/datasets/${datasetId}/upload/complete`, {
        file_size_bytes: size,
        ...(sha256 === undefined ? {} : { sha256 }),
      });
      completed.body;
      return datasetId;
    },
    untilRead: (datasetId) =>
      until(datasetId, ({ row_count, status }) => row_count !== null || status === 'failed', 120),
    adapt: async (datasetId, body) =>
      (await send<z.infer<typeof RunQuote>>('POST', `/api/v1/datasets/${datasetId}/adapt`, body)).body,
    untilEnded: (datasetId, seconds = 120) =>
      until(datasetId, ({ status }) => status === 'succeeded' || status === 'failed', seconds),
    get: (datasetId) => read(`/api/v1/datasets/${datasetId}`),
    evaluation: (datasetId) => read(`/api/v1/datasets/${datasetId}/evaluation`),
    report: (datasetId) => read(`/api/v1/datasets/${datasetId}/report?limit=1000`),
    async download(datasetId, format) {
      const query = format === undefined ? '' : `?fileFormat=${format}`;
      const answer = await send('GET', `/api/v1/datasets/${datasetId}/download${query}`);
      if (answer.status !== 200)
        throw new Error(`The download was answered with ${answer.status}: ${answer.text}`);
      return answer.text;
    },
    async rows(datasetId) {
      const answer = await send('GET', `/api/v1/datasets/${datasetId}/download?fileFormat=jsonl`);
      if (answer.status !== 200)
        throw new Error(`The download was answered with ${answer.status}: ${answer.text}`);
      return answer.text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
  };
}
