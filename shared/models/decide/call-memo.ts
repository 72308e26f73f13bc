import * as z from 'zod';
import { canonicalJson, sha256Bytes, shareCanonical } from '#shared/platform/canonical-json.ts';
import type { ChatMessage, GenerateRequest, Generation } from './port.ts';

/** An answer of a model as a call memo keeps it: a text, or vectors as base64 of their little-endian 32-bit floats. */
export const RecordedAnswer = z.union([
  z.object({ text: z.string(), finish: z.enum(['stop', 'length', 'filtered']) }),
  z.object({ vectors: z.array(z.base64()) }),
]);
export type RecordedAnswer = z.infer<typeof RecordedAnswer>;

/** An answer that a batch of the run itself has given, with what it used: unlike a recorded one it is metered. */
export const BatchedAnswer = z.object({
  text: z.string(),
  finish: z.enum(['stop', 'length', 'filtered']),
  usage: z.object({ input_tokens: z.int().min(0), output_tokens: z.int().min(0) }),
});
export type BatchedAnswer = z.infer<typeof BatchedAnswer>;

export const isBatched = (answer: RecordedAnswer | BatchedAnswer): answer is BatchedAnswer =>
  'usage' in answer;

/** A call: its key, and the model's answer. */
export const RecordedCall = z.tuple([z.string(), RecordedAnswer]);
export type RecordedCall = z.infer<typeof RecordedCall>;

/** Answers by key, in the order in which they were given. */
export type KnownAnswers = ReadonlyMap<string, readonly RecordedAnswer[]>;

/**
 * Answers of the run's batches by key, in the order in which a row asks; null for a call that a batch did not answer, which
 * is left to a single call.
 */
export type BatchedAnswers = ReadonlyMap<string, readonly (BatchedAnswer | null)[]>;

/** A call of a row that a batch can make; `id` is equal for equal calls of all rows. */
export interface WantedCall {
  readonly id: string;
  readonly modelId: string;
  readonly request: GenerateRequest;
}

/** Thrown instead of calling a model while calls are collected for a batch: the row waits for the answer. */
export class CallDeferred extends Error {
  constructor() {
    super('The call waits for a batch');
    this.name = 'CallDeferred';
  }
}

/** What the model calls of one row read their answers from, and record them in. */
export interface CallMemo {
  /** The next answer of the key; null if all were handed out. */
  take(key: string): RecordedAnswer | BatchedAnswer | null;
  put(key: string, answer: RecordedAnswer): void;
  /**
   * Called before a call that has no answer, where calls are collected for a batch.
   * @throws {CallDeferred}
   */
  readonly defer?: ((key: string, modelId: string, request: GenerateRequest) => never) | undefined;
}

/** A call memo that also tells what happened. */
export interface RowMemo extends CallMemo {
  /** Calls without a recorded answer. */
  misses(): number;
  /** Answers that were not known before. */
  added(): number;
  /** All calls of the row in their order, from the memo or not. */
  calls(): RecordedCall[];
}

/** The batches of the run itself, for the memo of one of its rows. */
export interface RowBatches {
  readonly answers: BatchedAnswers;
  /** Where calls are collected for the next batch: called with each that has no answer yet. */
  readonly collect?: ((call: WantedCall) => void) | undefined;
}

/** The id of a call in a batch: rows that ask the same share it, and a row that asks again (sampling) has another. */
export const wantedId = (key: string, place: number): string => `${key}.${place}`;

/** Groups answers of batches by their ids. */
export function batchedByKey(answers: Iterable<readonly [string, BatchedAnswer | null]>): BatchedAnswers {
  const byKey = new Map<string, (BatchedAnswer | null)[]>();
  for (const [id, answer] of answers) {
    const at = id.lastIndexOf('.');
    const key = id.slice(0, at);
    const known = byKey.get(key) ?? [];
    byKey.set(key, known);
    known[Number(id.slice(at + 1))] = answer;
  }
  return byKey;
}

/**
 * The memo of one row. A request that a row repeats (sampling) gets the recorded answers one after another, each once.
 * Answers of the run's own batches come after those of earlier runs, and count as new.
 */
export function createRowMemo(known: KnownAnswers = new Map(), batches?: RowBatches): RowMemo {
  const asked = new Map<string, number>();
  const calls: RecordedCall[] = [];
  let misses = 0;
  let added = 0;
  const collect = batches?.collect;
  return {
    take(key) {
      const place = asked.get(key) ?? 0;
      asked.set(key, place + 1);
      const answer = known.get(key)?.[place];
      if (answer !== undefined) {
        calls.push([key, answer]);
        return answer;
      }
      misses += 1;
      const batched = batches?.answers.get(key)?.[place] ?? null;
      if (batched === null) return null;
      added += 1;
      calls.push([key, { text: batched.text, finish: batched.finish }]);
      return batched;
    },
    put(key, answer) {
      added += 1;
      calls.push([key, answer]);
    },
    ...(collect === undefined
      ? {}
      : {
          defer(key: string, modelId: string, request: GenerateRequest): never {
            const place = (asked.get(key) ?? 1) - 1;
            // One that a batch has failed to answer is not asked for by another.
            const isLeft = batches?.answers.get(key)?.[place] === null;
            if (!isLeft) collect({ id: wantedId(key, place), modelId, request });
            throw new CallDeferred();
          },
        }),
    misses() {
      return misses;
    },
    added() {
      return added;
    },
    calls() {
      return calls;
    },
  };
}

/** Groups calls by key. */
export function answersByKey(calls: readonly RecordedCall[]): Map<string, RecordedAnswer[]> {
  const answers = new Map<string, RecordedAnswer[]>();
  for (const [key, answer] of calls) {
    const known = answers.get(key);
    if (known === undefined) answers.set(key, [answer]);
    else known.push(answer);
  }
  return answers;
}

/** Prepares the messages that begin every call of a prompt: their text in the keys of calls is written once. */
export function sharedMessages(
  messages: readonly { readonly role: ChatMessage['role']; readonly content: string }[],
): readonly ChatMessage[] {
  return messages.map(({ role, content }) => shareCanonical({ role, content }));
}

/** What a model is asked: for a text, or for the vectors of texts. */
export type CallRequest = GenerateRequest | readonly string[];

const KEY_BYTES = 16;

/**
 * The key of a call: 16 bytes of the SHA-256 of its kind, the model and the complete request in canonical form, as
 * base64url. Calls with equal keys are the same question to the same model.
 */
export function callKey(kind: 'generate' | 'embed', modelId: string, request: CallRequest): string {
  return sha256Bytes(canonicalJson([kind, modelId, request])).toString('base64url', 0, KEY_BYTES);
}

export function recordGeneration({ text, finishReason }: Generation): RecordedAnswer {
  return { text, finish: finishReason };
}

/** The recorded text; it used no tokens, unless a batch of the run gave it. Null for vectors. */
export function readGeneration(answer: RecordedAnswer | BatchedAnswer | null): Generation | null {
  if (answer === null || !('text' in answer)) return null;
  return {
    text: answer.text,
    finishReason: answer.finish,
    usage: isBatched(answer) ? answer.usage : { input_tokens: 0, output_tokens: 0 },
  };
}

export function recordVectors(vectors: readonly Float32Array[]): RecordedAnswer {
  return {
    vectors: vectors.map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
    ),
  };
}

/** The recorded vectors; null for a text. */
export function readVectors(answer: RecordedAnswer | BatchedAnswer | null): Float32Array[] | null {
  if (answer === null || !('vectors' in answer)) return null;
  return answer.vectors.map((text) => {
    const bytes = new Uint8Array(Buffer.from(text, 'base64'));
    return new Float32Array(bytes.buffer, 0, Math.floor(bytes.byteLength / 4));
  });
}
