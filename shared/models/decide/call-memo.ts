import { createHash } from 'node:crypto';
import * as z from 'zod';
import { canonicalJson } from '#shared/platform/canonical-json.ts';
import type { GenerateRequest, Generation } from './port.ts';

/** An answer of a model as a call memo keeps it: a text, or vectors as base64 of their little-endian 32-bit floats. */
export const RecordedAnswer = z.union([
  z.object({ text: z.string(), finish: z.enum(['stop', 'length', 'filtered']) }),
  z.object({ vectors: z.array(z.base64()) }),
]);
export type RecordedAnswer = z.infer<typeof RecordedAnswer>;

/** A call: its key, and the model's answer. */
export const RecordedCall = z.tuple([z.string(), RecordedAnswer]);
export type RecordedCall = z.infer<typeof RecordedCall>;

/** Answers by key, in the order in which they were given. */
export type KnownAnswers = ReadonlyMap<string, readonly RecordedAnswer[]>;

/** What the model calls of one row read their answers from, and record them in. */
export interface CallMemo {
  /** The next recorded answer of the key; null if all were handed out. */
  take(key: string): RecordedAnswer | null;
  put(key: string, answer: RecordedAnswer): void;
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

/**
 * The memo of one row. A request that a row repeats (sampling) gets the recorded answers one after another, each once.
 */
export function createRowMemo(known: KnownAnswers = new Map()): RowMemo {
  const taken = new Map<string, number>();
  const calls: RecordedCall[] = [];
  let misses = 0;
  let added = 0;
  return {
    take(key) {
      const next = taken.get(key) ?? 0;
      const answer = known.get(key)?.[next];
      if (answer === undefined) {
        misses += 1;
        return null;
      }
      taken.set(key, next + 1);
      calls.push([key, answer]);
      return answer;
    },
    put(key, answer) {
      added += 1;
      calls.push([key, answer]);
    },
    misses: () => misses,
    added: () => added,
    calls: () => calls,
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

/**
 * The key of a call: 16 bytes of the SHA-256 of its kind, the model and the complete request in canonical form, as
 * base64url. Calls with equal keys are the same question to the same model.
 */
export function callKey(
  kind: 'generate' | 'embed',
  modelId: string,
  request: GenerateRequest | readonly string[],
): string {
  const hash = createHash('sha256')
    .update(canonicalJson([kind, modelId, request]))
    .digest();
  return hash.subarray(0, 16).toString('base64url');
}

export function recordGeneration({ text, finishReason }: Generation): RecordedAnswer {
  return { text, finish: finishReason };
}

/** The recorded text; it used no tokens. Null for vectors. */
export function readGeneration(answer: RecordedAnswer | null): Generation | null {
  if (answer === null || !('text' in answer)) return null;
  return {
    text: answer.text,
    finishReason: answer.finish,
    usage: { input_tokens: 0, output_tokens: 0 },
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
export function readVectors(answer: RecordedAnswer | null): Float32Array[] | null {
  if (answer === null || !('vectors' in answer)) return null;
  return answer.vectors.map((text) => {
    const bytes = new Uint8Array(Buffer.from(text, 'base64'));
    return new Float32Array(bytes.buffer, 0, Math.floor(bytes.byteLength / 4));
  });
}
