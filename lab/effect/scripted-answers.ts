import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';
import { wordsOf } from '#shared/answers/decide/words.ts';
import {
  calibrationKeyOf,
  type JudgeCalibration,
  type PairFigures,
} from '#shared/judging/decide/calibration.ts';
import { PAIR_KINDS } from '#shared/runs/schema/pair-kind.ts';
import type { LabEndpoint } from './models.ts';
import type { LabRow } from './row.ts';
import { hashOf, negated, wrongAnswers } from './wrong-answers.ts';

/** The behaviour of a scripted model: right, confidently wrong about one row in five, or right and badly written. */
export const SCRIPTS = ['strong', 'confidently-wrong', 'careless'] as const;
export type ScriptName = (typeof SCRIPTS)[number];

/** A row, and the model's answer to it. */
export interface KnownRow {
  readonly row: LabRow;
  readonly answer: string;
  readonly isWrong: boolean;
}

/** A parsed request of the service: instructions around blocks of material. */
export interface ScriptedRequest {
  readonly system: string;
  /** The last message of the user. */
  readonly user: string;
  /** Its blocks by name; the first of each name. */
  readonly blocks: ReadonlyMap<string, string>;
  /** Its text outside the blocks. */
  readonly outside: string;
  /** Null if the answer is free text. */
  readonly schema: Schema | null;
}

interface Schema {
  readonly type?: string | readonly string[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly items?: Schema | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minItems?: number | undefined;
}

/**
 * The model's answer to a request about a row. Other prompts of the service are recognised here, by their system text
 * or by the response schema.
 */
export function answerFor(known: KnownRow, request: ScriptedRequest): string {
  const { system, blocks, schema } = request;
  if (schema !== null) return JSON.stringify(fill('', schema, known, request));
  if (system.startsWith('You rewrite requests')) return blocks.get('request') ?? '';
  if (system.startsWith('You finish answers')) return endOf(known.answer, blocks.get('answer') ?? '');
  if (system.startsWith('You proofread answers')) {
    const text = proofread(blocks.get('answer') ?? '');
    return known.isWrong ? negated(text) : text;
  }
  return known.answer;
}

/** Answers to requests that concern no row. */
function answerToOthers({ schema, blocks, ...request }: ScriptedRequest): string {
  const nobody = { answer: '', isWrong: false };
  if (schema !== null) return JSON.stringify(fill('', schema, nobody, { schema, blocks, ...request }));
  return blocks.get('answer') ?? 'I do not know.';
}

/** Fills a schema: choices take the option nearest to the answer, scores depend on the similarity. */
function fill(
  name: string,
  schema: Schema,
  known: Pick<KnownRow, 'answer' | 'isWrong'>,
  request: ScriptedRequest,
): unknown {
  const { answer } = known;
  if (schema.enum !== undefined) return choose(schema.enum, answer, request);
  if (schema.properties !== undefined) {
    const entries = Object.entries(schema.properties);
    return Object.fromEntries(entries.map(([key, of]) => [key, fill(key, of, known, request)]));
  }
  const shown = request.blocks.get('answer') ?? request.blocks.get('draft') ?? '';
  const near = similarity(shown, answer);
  switch (typeof schema.type === 'string' ? schema.type : schema.type?.[0]) {
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 10 } = schema;
      return Math.round(minimum + (maximum - minimum) * (near > 0.6 ? 1 : near));
    }
    case 'boolean':
      return near > 0.6;
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () =>
        fill(name, schema.items ?? {}, known, request),
      );
    case 'object':
      return {};
    default:
      return /reason|why|fault|problem|explanation/i.test(name) ? 'It follows from the request.' : answer;
  }
}

function choose(choices: readonly unknown[], answer: string, { blocks }: ScriptedRequest): unknown {
  const names = choices.filter((choice) => typeof choice === 'string');
  const shown = names.filter((name) => blocks.has(name));
  // Ties take the first, like a judge that cannot decide.
  const nearest = (of: readonly string[], textOf: (name: string) => string) =>
    of.toSorted((a, b) => similarity(textOf(b), answer) - similarity(textOf(a), answer))[0];
  if (shown.length > 1) return nearest(shown, (name) => blocks.get(name) ?? '');
  const words = ` ${wordsOf(answer).join(' ')} `;
  const named = names.filter((name) => words.includes(` ${wordsOf(name).join(' ')} `));
  return named.toSorted((a, b) => b.length - a.length)[0] ?? nearest(names, (name) => name) ?? choices[0];
}

/** Dice's coefficient of letter pairs: 1 for texts that differ only in case and punctuation. */
export function similarity(a: string, b: string): number {
  const [left, right] = [pairsOf(a), pairsOf(b)];
  if (left.size === 0 || right.size === 0) return a.trim() === b.trim() ? 1 : 0;
  let common = 0;
  for (const [pair, count] of left) common += Math.min(count, right.get(pair) ?? 0);
  const total = [...left.values(), ...right.values()].reduce((sum, count) => sum + count, 0);
  return (2 * common) / total;
}

function pairsOf(text: string): Map<string, number> {
  const plain = wordsOf(text).join(' ');
  const pairs = new Map<string, number>();
  for (let n = 0; n + 1 < plain.length; n += 1) {
    const pair = plain.slice(n, n + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** The part of an answer after its existing start; all of it if the two share no words. */
function endOf(answer: string, standing: string): string {
  const stands = standing.trimEnd();
  if (answer.startsWith(stands)) return answer.slice(stands.length).trimStart();
  const words = stands.split(/\s+/);
  for (let count = Math.min(6, words.length); count > 0; count -= 1) {
    const tail = words.slice(-count).join(' ');
    const at = answer.indexOf(tail);
    if (at >= 0) return answer.slice(at + tail.length).trimStart();
  }
  return answer;
}

const SPELLED: Readonly<Record<string, string>> = {
  ...{ u: 'you', ur: 'your', r: 'are', n: 'and', pls: 'please', plz: 'please', thx: 'thanks', bc: 'because' },
  ...{ cuz: 'because', coz: 'because', tho: 'though', thru: 'through', gonna: 'going to', wanna: 'want to' },
  ...{ dont: "don't", doesnt: "doesn't", didnt: "didn't", cant: "can't", wont: "won't", isnt: "isn't" },
  ...{ arent: "aren't", wasnt: "wasn't", im: "I'm", ive: "I've", i: 'I', thats: "that's", youre: "you're" },
  ...{ its: "it's", alot: 'a lot', teh: 'the', recieve: 'receive', definately: 'definitely', wich: 'which' },
  ...{ seperate: 'separate', becuase: 'because', untill: 'until', lol: '', w: 'with', idk: "I don't know" },
};

/** A text without abbreviations, with a capital first letter and a full stop at the end. */
function proofread(text: string): string {
  const spelled = text
    .trim()
    .replace(/(?<![\p{L}\p{N}'’])[a-z]+(?![\p{L}\p{N}'’])/gu, (word) => SPELLED[word] ?? word)
    .replace(/\s+([.,;:!?]|$)/g, '$1');
  const begun = spelled.charAt(0).toUpperCase() + spelled.slice(1);
  return /[.!?…)"'”»`]$/.test(begun) ? begun : `${begun}.`;
}

/** The right answer in chat style. */
function carelessly(text: string): string {
  return text
    .replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase())
    .replace(/\byou\b/gi, 'u')
    .replace(/\b(do|does|is|are|can|was|wo)n['’]t\b/gi, (found) => found.replace(/['’]/, ''))
    .replace(/\.$/, '');
}

const BLOCK = /<(data-[0-9a-f]{6}) (\w+)>\n([\s\S]*?)\n<\/\1>/g;

const Body = z.object({
  model: z.string().optional(),
  messages: z
    .array(
      z.object({
        role: z.string(),
        content: z.union([z.string(), z.array(z.object({ text: z.string().optional() }))]),
      }),
    )
    .default([]),
  input: z.union([z.string(), z.array(z.string())]).optional(),
  response_format: z.object({ json_schema: z.object({ schema: z.custom<Schema>() }).optional() }).optional(),
});
type Body = z.infer<typeof Body>;

export function readRequest({ messages, response_format: format }: Body): ScriptedRequest {
  const textOf = (role: string) => {
    const content = messages.findLast((message) => message.role === role)?.content ?? '';
    return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');
  };
  const user = textOf('user');
  const blocks = new Map<string, string>();
  for (const [, , name = '', text = ''] of user.matchAll(BLOCK)) {
    if (!blocks.has(name)) blocks.set(name, text);
  }
  return {
    system: textOf('system'),
    user,
    blocks,
    outside: user.replace(BLOCK, ''),
    schema: format?.json_schema?.schema ?? null,
  };
}

/**
 * The row of a request: the one whose prompt it contains, the longest if it contains several; for a request without its
 * prompt the one whose completion it contains, at least nearly.
 */
export function findRow(known: readonly KnownRow[], { user, blocks }: ScriptedRequest): KnownRow | null {
  const weightOf = ({ row: { prompt, context = '', history = [] } }: KnownRow): number => {
    if (prompt === '' || !user.includes(prompt)) return 0;
    const around = [context, ...history.map(({ content }) => content)].filter((text) => user.includes(text));
    return prompt.length + around.reduce((sum, text) => sum + text.length, 0);
  };
  const best = (weigh: (of: KnownRow) => number, min: number): KnownRow | null => {
    const weighed = known.map((of) => ({ of, weight: weigh(of) })).sort((a, b) => b.weight - a.weight);
    const [first] = weighed;
    return first !== undefined && first.weight >= min ? first.of : null;
  };
  const text = blocks.get('answer') ?? blocks.get('text') ?? '';
  return best(weightOf, 1) ?? (text === '' ? null : best(({ row }) => similarity(text, row.completion), 0.7));
}

const DIMENSIONS = 256;

/** Bag-of-words embeddings: texts with common words are similar. */
function embed(texts: readonly string[]): unknown {
  const data = texts.map((text, index) => {
    const embedding = new Array<number>(DIMENSIONS).fill(0);
    for (const word of wordsOf(text)) {
      const slot = hashOf(word) % DIMENSIONS;
      embedding[slot] = (embedding[slot] ?? 0) + 1;
    }
    // A text without words needs a nonzero vector too.
    if (!embedding.some((value) => value > 0)) embedding[0] = 1;
    return { object: 'embedding', index, embedding };
  });
  return { object: 'list', model: 'scripted', data, usage: { prompt_tokens: 0, total_tokens: 0 } };
}

function completion(text: string, { messages, model = 'scripted' }: Body): unknown {
  const tokensOf = (characters: number) => Math.ceil(characters / 4);
  const prompt = tokensOf(JSON.stringify(messages).length);
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: tokensOf(text.length),
      total_tokens: prompt + tokensOf(text.length),
    },
  };
}

/** The model's answers to the rows. */
export async function knownRows(script: ScriptName, rows: readonly LabRow[]): Promise<KnownRow[]> {
  const wrong = script === 'confidently-wrong' ? await wrongAnswers(rows) : new Map<string, string>();
  return rows.map((row) => {
    const right = script === 'careless' ? carelessly(row.reference) : row.reference;
    return { row, answer: wrong.get(row.id) ?? right, isWrong: wrong.has(row.id) };
  });
}

export function scriptedModelId(script: ScriptName): string {
  return `scripted-${script}`;
}

export function isScripted(modelId: string): boolean {
  return SCRIPTS.some((script) => scriptedModelId(script) === modelId);
}

const NEVER_WRONG: PairFigures = {
  pairs: 16,
  right: 16,
  wrong: 0,
  split: 0,
  unanswered: 0,
  accuracy: 1,
  accuracy_low: 0.806,
  original_better: 9,
  false_acceptance: 0,
  false_acceptance_high: 0.299,
  position_bias: 0,
  decided_by_length: 16,
  longer_named: 0.5,
};

/** A judge that is trusted for everything without calibration: it only knows the answers to the rows. */
const CALIBRATION: JudgeCalibration = {
  ...calibrationKeyOf('scripted'),
  rubric: { agreement: 1, agreement_low: 0.9 },
  pairs: NEVER_WRONG,
  kinds: Object.fromEntries(PAIR_KINDS.map((kind) => [kind, NEVER_WRONG])),
  unanswered: 0,
};

/**
 * Serves a deterministic model in this process that knows the rows: the same request always gets the same answer, with
 * any seed.
 */
export async function startScriptedEndpoint(
  script: ScriptName,
  rows: readonly LabRow[],
): Promise<LabEndpoint> {
  const known = await knownRows(script, rows);

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const body = Body.safeParse(JSON.parse(Buffer.concat(parts).toString('utf8')));
    if (!body.success) return send(response, 400, { error: { message: body.error.message } });
    if (incoming.url === '/v1/embeddings') return send(response, 200, embed([body.data.input ?? []].flat()));
    if (incoming.url !== '/v1/chat/completions')
      return send(response, 404, { error: { message: 'no such path' } });
    const request = readRequest(body.data);
    const found = findRow(known, request);
    const text = found === null ? answerToOthers(request) : answerFor(found, request);
    send(response, 200, completion(text, body.data));
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    model: scriptedModelId(script),
    judgeModel: scriptedModelId(script),
    embeddingModel: 'scripted',
    contextTokensMax: 8192,
    calibration: CALIBRATION,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
