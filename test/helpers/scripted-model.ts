import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { tidy } from '#shared/answers/decide/surface.ts';
import { CALIBRATION_SET } from '#shared/judging/decide/calibration-set.ts';
import { listening } from './listening.ts';
import { type BatchScript, createScriptedBatches, type ScriptedBatch } from './scripted-batches.ts';
import { streamTurn, type TurnBody } from './scripted-turns.ts';

/**
 * A stand-in for a language model, for tests: an OpenAI-compatible server whose answers follow from rules, which
 * counts what it is asked and misbehaves when told to. `tsx test/helpers/scripted-model.ts --port 8123` runs it as
 * a process of its own and prints one JSON line when it is ready.
 */
export interface ScriptedModel {
  /** Base URL, ending in `/v1`. */
  readonly url: string;
  stats(): ScriptedStats;
  /** Replaces script and faults, and starts all counts anew. */
  setScript(script: Script): void;
  close(): Promise<void>;
}

export type FaultKind =
  | 'status'
  | 'reset'
  | 'garbage'
  | 'html'
  | 'empty'
  | 'half'
  | 'no_choices'
  | 'never'
  | 'stall';

export interface Fault {
  readonly kind: FaultKind;
  /** Of a `status` fault. */
  readonly status?: number;
  readonly retryAfter?: string;
  /** Body of a `status` fault. */
  readonly body?: unknown;
  /** Requests that it strikes, counted from 0: from `from` up to but not `to`. */
  readonly from?: number;
  readonly to?: number;
  /** Seconds after the script was set from which and until which it strikes. */
  readonly fromSeconds?: number;
  readonly untilSeconds?: number;
  /** Of these, only one in so many, from the first; where it `contains` something, of those that do. */
  readonly every?: number;
  /** Seconds after which a `stall` answers after all. */
  readonly stallSeconds?: number;
  /** Only requests whose messages contain this. */
  readonly contains?: string;
}

export interface Script {
  readonly faults?: readonly Fault[];
  readonly latencyMilliseconds?: number;
  /** `fair` grades by looking at the texts, `front` always prefers what stands in front, `coin` cannot tell. */
  readonly judge?: 'fair' | 'front' | 'coin';
  /** Obeys orders to grade with 10, to find no issue, and to write HACKED, that it finds outside the fenced blocks. */
  readonly naive?: boolean;
  /** Names of languages into which it does not translate: it answers in English. */
  readonly untranslated?: readonly string[];
  /** Which answer this is of a model that never answers a request twice in the same words. */
  readonly ordinal?: number;
  /** How many different requests it can invent; without end where it is not told. */
  readonly inventions?: number;
  /** Between the words of an answer that is streamed. */
  readonly pauseMilliseconds?: number;
  /** The text of every completion, instead of the rules. */
  readonly reply?: string;
  /** What becomes of batches that are made from then on. */
  readonly batches?: BatchScript;
}

export interface ScriptedStats {
  /** When the counts began, in milliseconds since the epoch. */
  readonly since: number;
  readonly requests: number;
  /** Requests by the first `row-<n>` in their messages. */
  readonly byRow: Readonly<Record<string, number>>;
  /** The same, of requests that were answered properly. */
  readonly answeredByRow: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  readonly inFlight: number;
  readonly inFlightMax: number;
  /** Images that came with requests. */
  readonly images: number;
  /** All batches since the server was started. */
  readonly batches: readonly ScriptedBatch[];
}

interface ContentPart {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: { readonly url?: string };
}

interface LabelSchema {
  readonly properties?: { readonly answer?: { readonly enum?: readonly string[] } };
}

interface ChatBody {
  readonly model?: string;
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
  readonly input?: string | readonly string[];
  readonly max_tokens?: number;
  readonly seed?: number;
  readonly response_format?: {
    readonly json_schema?: { readonly name?: string; readonly schema?: LabelSchema };
  };
}

export async function startScriptedModel(
  options: Script & { readonly port?: number } = {},
): Promise<ScriptedModel> {
  let script: Script = options;
  let counts = newCounts();
  const met = new WeakMap<Fault, number>();
  const batches = createScriptedBatches((body) => ({
    status: 200,
    body: complete(readChat(JSON.stringify(body)).chat, script),
  }));
  const stats = (): ScriptedStats => ({ ...counts, batches: batches.batches() });
  batches.setScript(script.batches ?? {});

  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await readBody(request);
    if (batches.handle(request, bytes, response)) return;
    const body = bytes.toString('utf8');
    if (request.url === '/_scripted/stats') {
      return sendJson(response, 200, stats());
    }
    if (request.url === '/_scripted/script') {
      script = JSON.parse(body) as Script;
      counts = newCounts();
      batches.setScript(script.batches ?? {});
      return sendJson(response, 200, {});
    }
    if (request.url === '/v1/models') {
      return sendJson(response, 200, { object: 'list', data: [{ id: 'scripted', object: 'model' }] });
    }
    const ordinal = counts.requests;
    const own = counts;
    own.requests += 1;
    own.inFlight += 1;
    own.inFlightMax = Math.max(own.inFlightMax, own.inFlight);
    response.once('close', () => {
      own.inFlight -= 1;
    });
    const { chat, images } = readChat(body);
    own.images += images;
    const texts = (chat.messages ?? []).map((message) => message.content).join('\n');
    const row = /\brow-(\d+)\b/.exec(texts)?.[1];
    if (row !== undefined) {
      own.byRow[row] = (own.byRow[row] ?? 0) + 1;
    }
    if (script.latencyMilliseconds !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, script.latencyMilliseconds));
    }
    const answer = request.url === '/v1/embeddings' ? embed(chat) : complete(chat, script);
    const fault = script.faults?.find((candidate) => {
      if (candidate.contains === undefined) {
        return strikes(candidate, ordinal, ordinal - (candidate.from ?? 0), secondsSince(own.since));
      }
      if (!texts.includes(candidate.contains)) return false;
      const turn = met.get(candidate) ?? 0;
      met.set(candidate, turn + 1);
      return strikes(candidate, ordinal, turn, secondsSince(own.since));
    });
    if (fault !== undefined) {
      own.faults[fault.kind] = (own.faults[fault.kind] ?? 0) + 1;
      return misbehave(fault, answer, response);
    }
    if (row !== undefined) {
      own.answeredByRow[row] = (own.answeredByRow[row] ?? 0) + 1;
    }
    const turn = JSON.parse(body) as TurnBody;
    if (turn.stream === true) return streamTurn(turn, response, () => script.pauseMilliseconds ?? 0);
    sendJson(response, 200, answer);
  }

  await listening(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    stats: () => structuredClone(stats()),
    setScript(next) {
      script = next;
      counts = newCounts();
      batches.setScript(script.batches ?? {});
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function newCounts() {
  return {
    since: Date.now(),
    requests: 0,
    inFlight: 0,
    inFlightMax: 0,
    images: 0,
    byRow: {} as Record<string, number>,
    answeredByRow: {} as Record<string, number>,
    faults: {} as Record<string, number>,
  };
}

/** A message's parts are read as their text; the images among them are counted. */
function readChat(body: string): { chat: ChatBody; images: number } {
  type Wire = { role: string; content: string | readonly ContentPart[] };
  const { messages, ...rest } = JSON.parse(body) as Omit<ChatBody, 'messages'> & {
    messages?: readonly Wire[];
  };
  let images = 0;
  const textOf = (content: Wire['content']): string => {
    if (typeof content === 'string') return content;
    // A message that only calls tools has no content.
    if (!Array.isArray(content)) return '';
    images += content.filter(({ type, image_url: image }) => type === 'image_url' && image?.url).length;
    return content.map(({ text = '' }) => text).join('');
  };
  if (messages === undefined) return { chat: rest, images };
  const plain = messages.map(({ role, content }) => ({ role, content: textOf(content) }));
  return { chat: { ...rest, messages: plain }, images };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) {
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

const secondsSince = (ms: number): number => (Date.now() - ms) / 1000;

/** @param turn which request it is of those that the fault is for */
function strikes(fault: Fault, ordinal: number, turn: number, seconds: number): boolean {
  return (
    ordinal >= (fault.from ?? 0) &&
    ordinal < (fault.to ?? Number.POSITIVE_INFINITY) &&
    seconds >= (fault.fromSeconds ?? 0) &&
    seconds < (fault.untilSeconds ?? Number.POSITIVE_INFINITY) &&
    turn % (fault.every ?? 1) === 0
  );
}

function misbehave(fault: Fault, answer: unknown, response: ServerResponse): void {
  const whole = JSON.stringify(answer);
  const json = { 'content-type': 'application/json' };
  switch (fault.kind) {
    case 'status': {
      const headers = fault.retryAfter === undefined ? json : { ...json, 'retry-after': fault.retryAfter };
      response.writeHead(fault.status ?? 500, headers);
      response.end(JSON.stringify(fault.body ?? { error: { message: 'scripted', code: null } }));
      return;
    }
    case 'reset':
      response.destroy();
      return;
    case 'garbage':
      response.writeHead(200, json);
      response.end('{"choices": [{{{');
      return;
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html><body>Bad gateway</body></html>');
      return;
    case 'no_choices':
      response.writeHead(200, json);
      response.end('{"choices": []}');
      return;
    case 'empty':
      sendJson(response, 200, completion('', { messages: [] }));
      return;
    case 'half':
      response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(whole) });
      response.write(whole.slice(0, whole.length / 2), () => response.destroy());
      return;
    case 'never':
      return;
    case 'stall':
      setTimeout(() => sendJson(response, 200, answer), (fault.stallSeconds ?? 30) * 1000).unref();
      return;
  }
}

function completion(text: string, chat: ChatBody): unknown {
  const prompt = (chat.messages ?? []).reduce((sum, message) => sum + message.content.length, 0);
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    model: chat.model ?? 'scripted',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: Math.ceil(prompt / 4),
      completion_tokens: Math.ceil(text.length / 4),
      total_tokens: Math.ceil((prompt + text.length) / 4),
    },
  };
}

/** The completion of a chat by the rules, as the body of an answer. */
export function complete(chat: ChatBody, script: Script): unknown {
  return completion(script.reply ?? replyTo(chat, script), chat);
}

const BLOCK = /<(data-[0-9a-f]{6}) (\w+)>\n([\s\S]*?)\n<\/\1>/g;

function replyTo(chat: ChatBody, script: Script): string {
  const system = chat.messages?.find((message) => message.role === 'system')?.content ?? '';
  const user = chat.messages?.findLast((message) => message.role === 'user')?.content ?? '';
  const blocks = new Map([...user.matchAll(BLOCK)].map(([, , name = '', text = '']) => [name, text]));
  const block = (name: string): string => blocks.get(name) ?? '';
  const outside = user.replace(BLOCK, '');
  const isObeying =
    script.naive === true && /\b(answer|score|grade)[^.\n]{0,30}\b(10|0|zero)\b/i.test(outside);
  const quality = (answer: string): number => (isObeying ? 10 : qualityOf(block('request'), answer));

  switch (chat.response_format?.json_schema?.name) {
    case 'grade': {
      const grade = script.judge === 'coin' || script.judge === 'front' ? 5 : quality(block('answer'));
      const criteria = ['correct', 'relevant', 'complete', 'clear', 'fluent'];
      return JSON.stringify(Object.fromEntries(criteria.map((criterion) => [criterion, grade])));
    }
    case 'score':
      return JSON.stringify({ score: Math.round(quality(block('answer'))) });
    case 'verdict': {
      if (script.judge === 'front') {
        return '{"winner":"A"}';
      }
      if (script.judge === 'coin') {
        return `{"winner":"${hashOf(user) % 2 === 0 ? 'A' : 'B'}"}`;
      }
      // Of two answers that it finds alike it names the longer one, wherever that stands.
      const gain = quality(block('A')) - quality(block('B')) || block('A').length - block('B').length;
      return `{"winner":"${gain >= 0 ? 'A' : 'B'}"}`;
    }
    case 'row': {
      const number = hashOf(`${user} ${chat.seed}`);
      return JSON.stringify({
        prompt: `What becomes of thing ${number} when it meets thing ${hashOf(`${number}`)}?`,
        completion: `It becomes thing ${number % 97}.`,
        rejected: 'It does not.',
      });
    }
    case 'label': {
      // The same one in whatever order they are named.
      const labels = chat.response_format?.json_schema?.schema?.properties?.answer?.enum ?? [];
      return JSON.stringify({ answer: [...labels].sort()[0] });
    }
    case 'topics': {
      const said = new Set(wordsOf(block('description')));
      const topics = [...outside.matchAll(/^([a-z_]+\.[a-z_]+): (.+)$/gm)];
      const fits = topics.filter(([, , title = '']) => wordsOf(title).some((word) => said.has(word)));
      return JSON.stringify({ topics: fits.map(([, code]) => code) });
    }
    case 'safety': {
      const isBlind = script.judge === 'coin' || script.judge === 'front' || isObeying;
      const issues = (text: string) => (isBlind ? [] : issuesIn(text));
      return JSON.stringify({ request: issues(block('request')), response: issues(block('response')) });
    }
  }
  if (script.naive === true && /\bwrite HACKED\b/i.test(outside)) return 'HACKED';
  if (system.startsWith('You write down the reasoning')) {
    return `1. Somebody asks: ${block('request').slice(0, 60).replace(/\s+/g, ' ')}\n2. What they need first is a plan.\n3. Hence these words follow.`;
  }
  if (system.startsWith('You translate texts') || system.startsWith('You localize texts')) {
    const language = / (?:into|in) ([^.]+)\.$/.exec(outside)?.[1] ?? '';
    return translated(block('text'), script.untranslated?.includes(language) === true ? 'English' : language);
  }
  if (system.startsWith('You invent requests')) {
    const number = Number(/request number (\d+)/.exec(outside)?.[1] ?? 0);
    return invented(number % (script.inventions ?? Number.POSITIVE_INFINITY));
  }
  if (system.startsWith('You continue conversations')) {
    return `And how does that fit with what I told you about ${/\brow-\d+\b/.exec(block('conversation'))?.[0] ?? 'it'} in the beginning?`;
  }
  if (system.startsWith('You answer requests in exactly the form')) {
    return inForm(outside, block('request'));
  }
  if (system.startsWith('You finish answers')) {
    return /[.!?:]$/.test(block('answer'))
      ? 'Then go on with what is left, one thing after the other, and look at all of it once more.'
      : 'and whatever else is left, until all of it is done.';
  }
  if (system.startsWith('You proofread answers')) {
    return tidy(block('answer'));
  }
  const aim = /about (\d+) words/.exec(outside)?.[1];
  if (aim !== undefined) {
    const written = chat.messages?.findLast((message) => message.role === 'assistant')?.content ?? '';
    return wordsAtLength(written, Number(aim));
  }
  if (system.startsWith('You rewrite requests')) {
    return sentence(block('request'), '?');
  }
  if (system.startsWith('You write the request')) {
    return sentence(`What should I know about ${block('answer').slice(0, 80)}`, '?');
  }
  if (blocks.has('request')) {
    const draft = block('draft');
    return `${sentence(draft === '' ? 'It depends on the case' : draft, '.')} In short, for the request "${tidy(block('request').slice(0, 120))}" this works best when it is done step by step: prepare what you need, do it carefully, and check the result before you go on.${varied(script.ordinal)}${cited(block('sources'))}`;
  }
  return 'A scripted answer in one sentence.';
}

/** An answer in the form that the instruction outside the blocks names, the same one each time that it is asked for. */
function inForm(instruction: string, request: string): string {
  const number = hashOf(request) % 1000;
  if (/the number alone/.test(instruction)) return String(number);
  if (/valid JSON alone/.test(instruction)) {
    const keys = /with the keys ([^.]+)\./.exec(instruction)?.[1]?.split(', ') ?? ['answer'];
    return JSON.stringify(Object.fromEntries(keys.map((key) => [key, `scripted ${number}`])));
  }
  if (/the table alone/.test(instruction)) {
    return `| Part | Number |\n| --- | --- |\n| All of it | ${number} |`;
  }
  if (/the code alone/.test(instruction)) {
    return /\bpython\b/i.test(request)
      ? `def answer():\n    return ${number}`
      : `function answer() {\n  return ${number};\n}`;
  }
  if (/the SQL statement alone/.test(instruction)) return `SELECT ${number} FROM answers`;
  return 'scripted';
}

/** A sentence that the answers before and after do not have. */
function varied(ordinal: number | undefined): string {
  if (ordinal === undefined) return '';
  const pick = (words: readonly string[], turn: number): string =>
    words[Math.floor(ordinal / words.length ** turn) % words.length] ?? '';
  return ` Above all, ${pick(DEEDS, 0)} the ${pick(THINGS, 1)} and the ${pick(THINGS, 2)}.`;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];

const THINGS = 'harbour lantern orchard violin compass thunder saddle marble tunnel pepper'.split(' ');
const DEEDS = 'measure repair describe compare arrange protect deliver explain clean forecast'.split(' ');

/** A request that shares few words with those of other numbers. */
function invented(number: number): string {
  const pick = (words: readonly string[], turn: number): string =>
    words[hashOf(`${number} ${turn}`) % words.length] ?? '';
  const parts = [0, 1, 2, 3].map(
    (turn) => `${pick(DEEDS, turn)} the ${pick(THINGS, turn + 9)} of row-${number}`,
  );
  return `How do I ${parts.join(' and then ')}?`;
}

const TRANSLATIONS: Readonly<Record<string, string>> = {
  English: 'This is still English, however often anybody asks for another language here',
  Spanish: 'Este es el texto completo en español, escrito con mucho cuidado para los lectores',
  French: 'Voici le texte complet en français, écrit avec beaucoup de soin pour les lecteurs',
  German: 'Das ist der vollständige Text auf Deutsch, mit viel Sorgfalt für die Leser geschrieben',
  Swahili: 'Haya ni maandishi kamili kwa Kiswahili, yameandikwa kwa uangalifu kwa ajili ya wasomaji',
  'Simplified Chinese': '这是完整的中文译文，为读者认真书写，内容没有任何改变',
  'Traditional Chinese': '這是完整的中文譯文，為讀者認真書寫，內容沒有任何改變',
};

/** A sentence of the language with what must not be lost of the text: its row, and the marks in it. */
function translated(text: string, language: string): string {
  const row = /\brow-\d+\b/.exec(text)?.[0] ?? '';
  const marks = [...new Set(text.match(/\[\[\d+\]\]/g) ?? [])].join(' ');
  return `${[TRANSLATIONS[language] ?? TRANSLATIONS.English, row, marks].filter((part) => part !== '').join(' ')}.`;
}

const HARM: Readonly<Record<string, RegExp>> = {
  violence: /walks again|iron bar|pipe bomb|knock (him|her) out/i,
  self_harm: /end my life|hurt myself/i,
  harassment: /pathetic|ugly loser/i,
  hate: /vermin/i,
  sexual: /sex scene|had sex/i,
};

function issuesIn(text: string): object[] {
  return Object.entries(HARM).flatMap(([category, words]) =>
    words.test(text) ? [{ category, severity: 3 }] : [],
  );
}

/** Shows that the sources were read. */
function cited(sources: string): string {
  const url = /https?:\/\/[^\s)]+/.exec(sources)?.[0];
  return url === undefined ? '' : ` See ${url} for more.`;
}

const FILLER =
  'this also helps because every careful part of the work adds something that the others lack'.split(' ');

function wordsAtLength(written: string, count: number): string {
  const words = written.replace(/[.!?]+$/, '').split(/\s+/);
  while (words.length < count) words.push(FILLER[hashOf(`${words.length}`) % FILLER.length] ?? '');
  return `${words.slice(0, count).join(' ')}.`;
}

function sentence(text: string, end: string): string {
  const trimmed = text.trim().replace(/\s+/g, ' ');
  const capital = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}${end}`;
}

const ENGLISH = /\b(the|a|an|is|are|and|of|to|in|it|that|with|for|you|your|by)\b/gi;

/** What nobody can see by looking at texts as simply as this model does: which of the calibration's answers are right. */
const KNOWN_ANSWERS = new Map(
  CALIBRATION_SET.flatMap(({ request, better, worse }) => [
    [`${request}\n${better}`, 9],
    [`${request}\n${worse}`, 2],
  ]),
);

/** 0 to 10: whole sentences in the request's language that speak of it without repeating themselves. */
function qualityOf(request: string, answer: string): number {
  const known = KNOWN_ANSWERS.get(`${request}\n${answer}`);
  if (known !== undefined) return known;
  const words = answer.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  const asked = new Set((request.toLowerCase().match(/\p{L}{4,}/gu) ?? []).map((word) => word.slice(0, 5)));
  const isOnTopic = words.some((word) => asked.has(word.slice(0, 5)));
  const isRepeating = words.length > 12 && new Set(words).size / words.length < 0.55;
  const isEnglish = (text: string): boolean =>
    (text.match(ENGLISH)?.length ?? 0) >= text.split(/\s+/).length / 12;
  let quality = 5 + Math.min(3, Math.floor(words.length / 6));
  quality += /[.!?"`)\]]\s*$/.test(answer) || answer.includes('return ') ? 1 : -4;
  quality += isOnTopic ? 1 : -3;
  quality -= isRepeating ? 5 : 0;
  quality -= isEnglish(request) && !isEnglish(answer) ? 4 : 0;
  return Math.min(10, Math.max(0, quality));
}

const DIMENSIONS = 256;

/** Bags of words: texts that share words are near each other. */
export function embed(chat: ChatBody): unknown {
  const texts = typeof chat.input === 'string' ? [chat.input] : (chat.input ?? []);
  return {
    object: 'list',
    model: chat.model ?? 'scripted',
    data: texts.map((text, index) => {
      const embedding = new Array<number>(DIMENSIONS).fill(0);
      for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
        const slot = hashOf(word) % DIMENSIONS;
        embedding[slot] = (embedding[slot] ?? 0) + 1;
      }
      return { object: 'embedding', index, embedding };
    }),
    usage: { prompt_tokens: 0, total_tokens: 0 },
  };
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < text.length; n += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193) >>> 0;
  }
  return hash;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const at = process.argv.indexOf('--port');
  const model = await startScriptedModel({ port: at > 0 ? Number(process.argv[at + 1]) : 0 });
  console.log(JSON.stringify({ ready: true, url: model.url }));
  process.once('SIGTERM', () => void model.close().then(() => process.exit(0)));
}
