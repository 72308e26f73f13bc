import type { ServerResponse } from 'node:http';

/** What a chat completion asks of a model that talks, as far as the rules below read it. */
export interface TurnBody {
  readonly model?: string;
  readonly messages?: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly tool_choice?: unknown;
  readonly stream?: boolean;
  /** Whether each word is told as a token that was certain. */
  readonly logprobs?: boolean;
  /** Words that an answer may have; one that has more is cut. */
  readonly max_tokens?: number;
}

interface Turn {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part: { text?: string; image_url?: unknown }) => part.text ?? '<image>').join('')
      : '';

/**
 * The rules by which a scripted model talks, each told by the last message of the user:
 * `call NAME {…}` (several, on lines of their own) calls tools; a demanded tool is called with the whole message as its
 * query; after tools have answered it says `Tools said: …`; `count N` says N words; anything else is answered with all
 * that users and systems have said so far, images as `<image>`.
 */
export function turnOf({ messages = [], tools = [], tool_choice: choice }: TurnBody): Turn {
  const said = messages.map(({ role, content }) => ({ role, text: textOf(content) }));
  const asked = said.findLastIndex(({ role }) => role === 'user');
  const text = said[asked]?.text ?? '';
  const answers = said.slice(asked + 1).filter(({ role }) => role === 'tool');
  if (answers.length > 0 && !text.startsWith('again and again'))
    return { text: `Tools said: ${answers.map((each) => each.text).join(' | ')}`, calls: [] };
  const demanded = (choice as { function?: { name?: string } } | undefined)?.function?.name;
  const names = new Set(tools.map((tool) => tool.function.name));
  const calls =
    demanded !== undefined
      ? [{ name: demanded, arguments: JSON.stringify({ query: text }) }]
      : [...text.matchAll(/^call (\S+) (\{.*\})$/gm)]
          .map(([, name = '', args = '{}']) => ({ name, arguments: args }))
          .filter(({ name }) => choice !== 'none' && names.has(name));
  if (calls.length > 0) return { text: '', calls };
  const count = /^count (\d+)$/.exec(text)?.[1];
  if (count !== undefined) {
    return { text: Array.from({ length: Number(count) }, (_, n) => `word${n} `).join(''), calls: [] };
  }
  return { text: `Heard: ${said.map((each) => each.text).join(' / ')}`, calls: [] };
}

/** Answers with server-sent events, a word each. The pause before each word is read anew. */
export async function streamTurn(
  body: TurnBody,
  response: ServerResponse,
  pauseMilliseconds: () => number,
): Promise<void> {
  const { text, calls } = turnOf(body);
  const send = (choice: unknown, more: Record<string, unknown> = {}): void => {
    const chunk = {
      id: 'chatcmpl-scripted',
      object: 'chat.completion.chunk',
      model: body.model,
      choices: choice === null ? [] : [choice],
      ...more,
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const words = text.split(/(?<=\s)/).filter(Boolean);
  const isCut = words.length > (body.max_tokens ?? Number.POSITIVE_INFINITY);
  for (const word of words.slice(0, body.max_tokens)) {
    const pause = pauseMilliseconds();
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    if (response.destroyed) return;
    const logprobs =
      body.logprobs === true ? { content: [{ token: word, logprob: 0, top_logprobs: [] }] } : null;
    send({ index: 0, delta: { content: word }, logprobs, finish_reason: null });
  }
  for (const [index, call] of calls.entries()) {
    const head = { index, id: `call_${Math.random().toString(36).slice(2)}`, type: 'function' };
    send({ index: 0, delta: { tool_calls: [{ ...head, function: { name: call.name, arguments: '' } }] } });
    for (const part of call.arguments.match(/.{1,8}/gs) ?? []) {
      send({ index: 0, delta: { tool_calls: [{ index, function: { arguments: part } }] } });
    }
  }
  send({ index: 0, delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : isCut ? 'length' : 'stop' });
  const input = Math.ceil(JSON.stringify(body.messages ?? []).length / 4);
  const output = Math.ceil((text.length + JSON.stringify(calls).length) / 4);
  send(null, { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } });
  response.end('data: [DONE]\n\n');
}
