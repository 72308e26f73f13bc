import { randomUUID } from 'node:crypto';
import {
  STORED_MILLISECONDS,
  type StoredResponse,
  toStoredItems,
} from '#shared/responses/decide/stored-response.ts';
import type { ModelResponse } from '#shared/responses/schema/response.ts';

export const newDigits = (): string => randomUUID().replaceAll('-', '');

/** A response that was answered, as callers read it. */
export function makeResponse(changes: Partial<ModelResponse> = {}): ModelResponse {
  return {
    id: `resp_${newDigits()}`,
    object: 'response',
    created_at: 1_790_000_000,
    completed_at: 1_790_000_001,
    status: 'completed',
    error: null,
    incomplete_details: null,
    model: 'scripted',
    instructions: null,
    output: [
      {
        type: 'message',
        id: `msg_${newDigits()}`,
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Answer.', annotations: [], logprobs: [] }],
      },
    ],
    previous_response_id: null,
    tools: [],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    max_tool_calls: null,
    max_output_tokens: null,
    temperature: 1,
    top_p: 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    top_logprobs: 0,
    truncation: 'disabled',
    text: { format: { type: 'text' } },
    reasoning: null,
    usage: null,
    store: true,
    background: false,
    service_tier: 'default',
    metadata: {},
    user: null,
    safety_identifier: null,
    prompt_cache_key: null,
    prompt_cache_retention: null,
    ...changes,
  };
}

/** A stored response to so many messages. */
export function makeStored(
  messages: readonly string[],
  changes: Partial<StoredResponse> = {},
): StoredResponse {
  return {
    response: makeResponse(),
    input: toStoredItems(
      messages.map((content) => ({ role: 'user', content })),
      (prefix) => `${prefix}_${newDigits()}`,
    ),
    ancestors: [],
    expires_at_ms: Date.now() + STORED_MILLISECONDS,
    ...changes,
  };
}
