import type * as z from 'zod';
import { Event } from '#shared/events/schema/event.ts';
import { ChatCompletion } from '#shared/openai/schema/chat.ts';
import { ModelResponse } from '#shared/responses/schema/response.ts';
import { exampleOf } from './example-of.ts';

const unfinishedTraining = {
  iterations_completed: 0,
  best_win_rate: null,
  best_win_rate_method: null,
  best_hyperparams: null,
  download_available: false,
};

/**
 * Fields that replace those of the derived example, by contract. The fields of a schema describe a thing that is done, and
 * where datasets and models share it, a dataset. These answers tell of a thing that has just begun or was cancelled, or of a
 * model, and their fields have to agree with that.
 */
export const replacedFields: Readonly<Record<string, object>> = {
  'autoscientist.create': { ...unfinishedTraining, status: 'pending', completed_at: null },
  'autoscientist.cancel': { ...unfinishedTraining, status: 'cancelled' },
  'autoscientist.download-link': {
    url: 'https://tunesmith.s3.amazonaws.com/trainings/8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40/artifact.tar.gz?X-Amz-Expires=900',
    file_name: 'Qwen3.5-0.8B-8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40.tar.gz',
  },
  'autoscientist.publications.get': { url: 'https://huggingface.co/acme/support-answers' },
  'autoscientist.comparisons.cancel': {
    status: 'cancelled',
    trainings_completed: 0,
    win_rates: { adapted_against_base: null, original_against_base: null, adapted_against_original: null },
    trainings: [],
    answers: [],
  },
  'datasets.pilots.cancel': {
    status: 'running',
    progress: { rows_done: 0, rows_total: 30, stage: null },
    arms: [],
    recommendation: null,
    judge: null,
    credits_charged: null,
    ended_at: null,
  },
  'datasets.custom-evals.create': {
    status: 'pending',
    score_before: null,
    score_after: null,
    improvement_percent: null,
    scored_rows: null,
    completed_at: null,
  },
};

/** The example of the answer of a contract. */
export function answerExample(id: string, response: z.ZodType): unknown {
  const derived = exampleOf(id, response);
  return id in replacedFields ? { ...(derived as object), ...replacedFields[id] } : derived;
}

/** The example of the 202 of a contract that also has a 200. */
export function acceptedExample(id: string, accepted: z.ZodType): unknown {
  const derived = exampleOf(id, accepted);
  const pending = { status: 'pending', counts: null, columns: [], rows: [] };
  return id === 'datasets.diff' ? { ...(derived as object), ...pending } : derived;
}

/** All chunks of a chat completion, whose text comes in two pieces. */
function chatStream(): string {
  const {
    choices,
    usage: _,
    ...whole
  } = exampleOf('chat.completions.create', ChatCompletion) as ChatCompletion;
  const text = choices[0]?.message.content ?? '';
  const deltas = [
    { role: 'assistant', content: '', refusal: null },
    ...[text.slice(0, 24), text.slice(24)].map((content) => ({ content })),
    {},
  ];
  const chunks = deltas.map((delta, n) => ({
    ...whole,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: n === deltas.length - 1 ? 'stop' : null }],
  }));
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`;
}

/** All events of a response, whose text comes in two pieces. */
function answerStream(): string {
  const response = exampleOf('responses.create', ModelResponse) as ModelResponse;
  const [item] = response.output;
  const [part] = item?.type === 'message' && Array.isArray(item.content) ? item.content : [];
  if (item === undefined || part === undefined) throw new Error('The example of a response has no text.');
  const began = { ...response, status: 'in_progress', completed_at: null, output: [], usage: null };
  const place = { item_id: item.id, output_index: 0, content_index: 0 };
  const pieces = [part.text.slice(0, 24), part.text.slice(24)];
  const events = [
    { type: 'response.created', response: began },
    { type: 'response.in_progress', response: began },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...place, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ];
  const sent = events.map(
    ({ type, ...body }, n) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: n, ...body })}\n\n`,
  );
  return `${sent.join('')}data: [DONE]\n\n`;
}

function eventStream(): string {
  const event = exampleOf('events.list', Event) as Event;
  return `id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n: ping\n\n`;
}

/** The server-sent events of streaming endpoints, by contract. The events of a stream have to agree with each other. */
export const streamExamples: Readonly<Record<string, string>> = {
  'responses.create': answerStream(),
  'events.list': eventStream(),
  'chat.completions.create': chatStream(),
  'mcp.call': 'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}\n\n',
};
