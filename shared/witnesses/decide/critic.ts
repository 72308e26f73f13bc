import { type Asking, askModel, type CallMeter, UnusableAnswer } from '#shared/models/decide/ask-model.ts';
import type { Generation, ModelClient } from '#shared/models/decide/port.ts';
import { readJsonObject } from '#shared/models/decide/read-json.ts';
import { beginningOf } from '#shared/platform/beginning-of.ts';
import { orNothing } from './or-nothing.ts';
import { findError } from './prompts/find-error.v1.ts';
import type { WitnessFinding } from './witness.ts';

/**
 * Asks a model for the first error of an answer. It has to quote it: a quotation that the answer does not have counts as
 * nothing, and so does a call that fails.
 * @throws {ModelOutage}
 */
export async function askCritic(
  model: ModelClient,
  { request, answer }: { readonly request: string; readonly answer: string },
  asking: Asking,
  meter: CallMeter,
): Promise<WitnessFinding | null> {
  const read = (generation: Generation) => readError(generation, answer);
  return orNothing(askModel(model, findError(request, answer), read, asking, meter));
}

/** @throws {UnusableAnswer} if it is no verdict, or quotes what is not there */
function readError({ text }: Generation, answer: string): WitnessFinding {
  const { verdict, quote, reason } = readJsonObject(text) ?? {};
  if (verdict === 'right') {
    return { witness: 'critic', says: 'fine', kind: 'no_error', reason: 'The model finds no error' };
  }
  if (verdict !== 'wrong' || typeof quote !== 'string' || typeof reason !== 'string') {
    throw new UnusableAnswer('The model gave no verdict on the answer');
  }
  const quoted = quote.trim();
  const start = quoted === '' ? -1 : answer.indexOf(quoted);
  if (start === -1) throw new UnusableAnswer('The model quoted what the answer does not say');
  return {
    witness: 'critic',
    says: 'wrong',
    kind: 'error_quoted',
    reason: beginningOf(reason.trim(), REASON_CHARACTERS_MAX),
    span: { start, end: start + quoted.length },
  };
}

const REASON_CHARACTERS_MAX = 200;
