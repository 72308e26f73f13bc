import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listening } from './listening.ts';

/** What becomes of the batches that are made from now on. */
export interface BatchScript {
  /** Until a batch has ended. Default: 0. */
  readonly delayMilliseconds?: number;
  /** Calls of a batch that are answered before it expires; all if absent. */
  readonly expiresAfter?: number;
  /** One in so many calls gets an error of the server. */
  readonly failsEvery?: number;
  /** The file does not pass the validation. */
  readonly isInvalid?: boolean;
  /** Calls that may wait at once; a batch beyond them fails as one with too many tokens for the queue does. */
  readonly queueCalls?: number;
  /** Changes the file of answers. */
  readonly spoils?: 'truncated' | 'doubled' | 'unknown';
  /** Answers to `POST /v1/batches`, one after the other, before it works. */
  readonly refusals?: number[];
  /** Breaks the connection after a batch was made, once. */
  readonly breaksAfterCreation?: boolean;
}

export type BatchStatusWord =
  | 'validating'
  | 'failed'
  | 'in_progress'
  | 'completed'
  | 'expired'
  | 'cancelling'
  | 'cancelled';

/** A batch as the stand-in remembers it. */
export interface ScriptedBatch {
  readonly id: string;
  readonly name: string;
  status: BatchStatusWord;
  readonly calls: number;
  readonly answered: number;
}

/**
 * A stand-in for the Batch API of OpenAI (`/v1/files`, `/v1/batches`), after its documentation: a file of requests becomes
 * a batch, which ends as completed, failed, expired or cancelled, and whose answers and errors are two files.
 */
export interface ScriptedBatches {
  /** Answers a request to one of its paths; false for any other. */
  handle(request: IncomingMessage, body: Buffer, response: ServerResponse): boolean;
  setScript(script: BatchScript): void;
  /** Ends the delay of all batches. */
  release(): void;
  batches(): readonly ScriptedBatch[];
  /** Ids of the files that were not deleted. */
  files(): readonly string[];
}

interface StoredFile {
  readonly filename: string;
  readonly body: Buffer;
}

interface Line {
  readonly custom_id: string;
  readonly url: string;
  readonly body: unknown;
}

interface StoredBatch {
  readonly id: string;
  readonly inputFileId: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly lines: readonly Line[];
  script: BatchScript;
  readonly createdMs: number;
  status: BatchStatusWord;
  errorCode?: string;
  answered: number;
  outputFileId?: string;
  errorFileId?: string;
}

const ENDED: readonly BatchStatusWord[] = ['completed', 'failed', 'expired', 'cancelled'];
const EXPIRED = {
  code: 'batch_expired',
  message: 'This request could not be executed before the completion window expired.',
};

/** @param answer what the model answers to the body of a chat completion, or its error */
export function createScriptedBatches(
  answer: (body: unknown) => { readonly status: number; readonly body: unknown },
): ScriptedBatches {
  const files = new Map<string, StoredFile>();
  const batches = new Map<string, StoredBatch>();
  let script: BatchScript = {};
  let count = 0;
  const newId = (kind: string): string => {
    count += 1;
    return `${kind}-${count}`;
  };
  const keep = (filename: string, body: string): string => {
    const id = newId('file');
    files.set(id, { filename, body: Buffer.from(body) });
    return id;
  };

  /** Makes the answers of the first calls, and errors of the others. */
  function end(batch: StoredBatch, status: BatchStatusWord, answeredMax: number, rest: object | null): void {
    const { failsEvery, spoils } = batch.script;
    const output: string[] = [];
    const errors: string[] = [];
    for (const [place, { custom_id, body }] of batch.lines.entries()) {
      const line = { id: `batch_req_${place}`, custom_id };
      if (place >= answeredMax) {
        if (rest !== null) errors.push(JSON.stringify({ ...line, response: null, error: rest }));
        continue;
      }
      const isFailing = failsEvery !== undefined && place % failsEvery === 0;
      const answered = isFailing ? { status: 500, body: { error: { message: 'scripted' } } } : answer(body);
      const response = { status_code: answered.status, request_id: `req-${place}`, body: answered.body };
      (answered.status === 200 ? output : errors).push(JSON.stringify({ ...line, response, error: null }));
    }
    batch.status = status;
    batch.answered = output.length;
    if (spoils === 'doubled') output.push(...output);
    if (spoils === 'unknown')
      output.unshift(`{"custom_id":"nobody","response":{"status_code":200,"body":{}}}`, '[]');
    let text = output.map((line) => `${line}\n`).join('');
    if (spoils === 'truncated') text = text.slice(0, text.length / 2);
    if (output.length > 0) batch.outputFileId = keep('output.jsonl', text);
    if (errors.length > 0)
      batch.errorFileId = keep('errors.jsonl', errors.map((line) => `${line}\n`).join(''));
  }

  /** Lets a batch go on to where it is by now. */
  function advance(batch: StoredBatch): void {
    if (ENDED.includes(batch.status)) return;
    if (batch.status === 'cancelling') {
      end(batch, 'cancelled', Math.floor(batch.lines.length / 2), null);
      return;
    }
    if (batch.script.isInvalid === true) {
      batch.status = 'failed';
      batch.errorCode = 'invalid_json_line';
      return;
    }
    const queued = [...batches.values()].filter(
      ({ status }) => status === 'in_progress' && batch.status !== status,
    );
    const calls = queued.reduce((sum, { lines }) => sum + lines.length, batch.lines.length);
    if (calls > (batch.script.queueCalls ?? Number.POSITIVE_INFINITY)) {
      batch.status = 'failed';
      batch.errorCode = 'token_limit_exceeded';
      return;
    }
    if (Date.now() - batch.createdMs < (batch.script.delayMilliseconds ?? 0)) {
      batch.status = 'in_progress';
      return;
    }
    const { expiresAfter } = batch.script;
    if (expiresAfter === undefined) end(batch, 'completed', batch.lines.length, null);
    else end(batch, 'expired', expiresAfter, EXPIRED);
  }

  const shown = (batch: StoredBatch) => ({
    id: batch.id,
    object: 'batch',
    endpoint: '/v1/chat/completions',
    errors:
      batch.status === 'failed' ? { object: 'list', data: [{ code: batch.errorCode, line: null }] } : null,
    input_file_id: batch.inputFileId,
    completion_window: '24h',
    status: batch.status,
    output_file_id: batch.outputFileId ?? null,
    error_file_id: batch.errorFileId ?? null,
    created_at: Math.floor(batch.createdMs / 1000),
    request_counts: { total: batch.lines.length, completed: batch.answered, failed: 0 },
    metadata: batch.metadata,
  });

  function send(response: ServerResponse, status: number, body: unknown): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  const missing = (response: ServerResponse): void =>
    send(response, 404, { error: { message: 'No such object', type: 'invalid_request_error' } });

  function list(response: ServerResponse, url: URL, entries: readonly { readonly id: string }[]): void {
    const newest = entries.toReversed();
    const from = newest.findIndex(({ id }) => id === url.searchParams.get('after')) + 1;
    const limit = Number(url.searchParams.get('limit') ?? 20);
    const data = newest.slice(from, from + limit);
    send(response, 200, { object: 'list', data, has_more: from + limit < newest.length });
  }

  function create(response: ServerResponse, body: Buffer): void {
    const refusal = script.refusals?.shift();
    if (refusal !== undefined) {
      send(response, refusal, { error: { message: 'scripted' } });
      return;
    }
    const { input_file_id, endpoint, completion_window, metadata } = JSON.parse(body.toString());
    const file = files.get(input_file_id);
    if (file === undefined || endpoint !== '/v1/chat/completions' || completion_window !== '24h') {
      send(response, 400, { error: { message: 'The batch is not valid' } });
      return;
    }
    const lines = file.body
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
    const batch: StoredBatch = {
      id: newId('batch'),
      inputFileId: input_file_id,
      metadata: metadata ?? {},
      lines,
      script,
      createdMs: Date.now(),
      status: 'validating',
      answered: 0,
    };
    batches.set(batch.id, batch);
    if (script.breaksAfterCreation === true) {
      script = { ...script, breaksAfterCreation: false };
      response.destroy();
      return;
    }
    send(response, 200, shown(batch));
  }

  return {
    handle(request, body, response) {
      const url = new URL(request.url ?? '', 'http://stand-in');
      const [, kind, id, act] =
        /^\/v1\/(files|batches)(?:\/([^/]+))?(?:\/(content|cancel))?$/.exec(url.pathname) ?? [];
      const { method } = request;
      if (kind === undefined) return false;
      const file = files.get(id ?? '');
      const batch = batches.get(id ?? '');
      if (kind === 'files' && id === undefined) {
        if (method === 'POST') {
          const uploaded = readForm(String(request.headers['content-type']), body);
          if (uploaded.purpose !== 'batch') send(response, 400, { error: { message: 'Unknown purpose' } });
          else {
            const fileId = newId('file');
            files.set(fileId, uploaded);
            send(response, 200, { id: fileId, object: 'file', filename: uploaded.filename });
          }
        } else {
          const entries = [...files].map(([fileId, { filename }]) => ({
            id: fileId,
            object: 'file',
            filename,
          }));
          list(response, url, entries);
        }
      } else if (kind === 'files') {
        if (file === undefined) missing(response);
        else if (method === 'DELETE') {
          files.delete(id ?? '');
          send(response, 200, { id, object: 'file', deleted: true });
        } else {
          response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file.body);
        }
      } else if (id === undefined) {
        if (method === 'POST') create(response, body);
        else list(response, url, [...batches.values()].map(shown));
      } else if (batch === undefined) missing(response);
      else {
        if (act === 'cancel') {
          if (!ENDED.includes(batch.status)) batch.status = 'cancelling';
        } else advance(batch);
        send(response, 200, shown(batch));
      }
      return true;
    },
    setScript(next) {
      script = next;
    },
    release() {
      for (const batch of batches.values()) batch.script = { ...batch.script, delayMilliseconds: 0 };
      script = { ...script, delayMilliseconds: 0 };
    },
    batches: () =>
      [...batches.values()].map(({ id, metadata, status, lines, answered }) => ({
        id,
        name: metadata.tunesmith_job ?? '',
        status,
        calls: lines.length,
        answered,
      })),
    files: () => [...files.keys()],
  };
}

/** The fields of form data with one file. */
function readForm(type: string, body: Buffer): { purpose: string | undefined } & StoredFile {
  const boundary = /boundary=(\S+)/.exec(type)?.[1] ?? '';
  const text = body.toString('latin1');
  const parts = text.split(`--${boundary}`).map((part) => {
    const at = part.indexOf('\r\n\r\n');
    return { head: part.slice(0, at), content: part.slice(at + 4, -2) };
  });
  const file = parts.find(({ head }) => /name="file"/.test(head));
  return {
    purpose: parts.find(({ head }) => /name="purpose"/.test(head))?.content,
    filename: /filename="([^"]*)"/.exec(file?.head ?? '')?.[1] ?? '',
    body: Buffer.from(file?.content ?? '', 'latin1'),
  };
}

/** The stand-in as a server of its own; `url` ends in `/v1`. */
export async function startScriptedBatches(
  answer: Parameters<typeof createScriptedBatches>[0],
): Promise<ScriptedBatches & { readonly url: string; close(): Promise<void> }> {
  const batches = createScriptedBatches(answer);
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      if (!batches.handle(request, Buffer.concat(parts), response)) response.writeHead(404).end();
    })();
  });
  await listening(server, 0);
  return {
    ...batches,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
