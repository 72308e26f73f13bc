import * as z from 'zod';
import type { Caller } from '#shared/platform/access/caller.ts';
import { own } from '#shared/platform/own.ts';
import { type TakePlacePorts, takePlace } from '#shared/platform/take-place.ts';
import { type EndpointReply, endpointRequest } from './decide/endpoint-request.ts';
import type { CallEndpoint, SendText, ToolResult } from './decide/ports.ts';
import { UPLOAD_CHARACTERS_MAX, UPLOAD_TOOL, WAIT_SECONDS_MAX, WAITS_MAX } from './decide/tools.ts';
import type { CatalogTool, Endpoint } from './schema/catalog.ts';

export interface CallToolPorts extends TakePlacePorts {
  readonly callEndpoint: CallEndpoint;
  readonly sendText: SendText;
  /** The endpoint that ends the upload of a text. */
  readonly completeUpload: Endpoint;
  readonly clock: {
    now(): number;
    sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  };
  /** Called if the place of an ended wait could not be given back: it comes free by itself. */
  readonly onHeld: (error: unknown) => void;
}

export interface CallToolInput {
  readonly caller: Caller;
  readonly given: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Is told of a wait: its number of looks, and what the record says. */
  readonly onProgress: (looks: number, message: string) => Promise<void>;
}

/** Milliseconds between two looks at a record, which grow by half each time. */
const LOOK_MILLISECONDS = { first: 1000, last: 10_000 } as const;

/** Seconds by which the last look may outlast a wait. */
const PLACE_SECONDS = 30;

const failure = (code: string, message: string, further: object = {}): ToolResult => ({
  text: JSON.stringify({ code, message, ...further }),
  isError: true,
});

const resultOf = ({ status, text }: EndpointReply): ToolResult => ({ text, isError: status >= 400 });

const Properties = z.object({ properties: z.record(z.string(), z.unknown()).default({}) });

const Bounds = z.object({
  max_credits: z.number().min(0).optional(),
  wait_seconds: z.int().min(0).max(WAIT_SECONDS_MAX).default(0),
});

/** Calls a tool: its endpoint, after an estimate if it costs, and again until the work has ended if it waits. */
export async function callTool(
  ports: CallToolPorts,
  tool: CatalogTool,
  input: CallToolInput,
): Promise<ToolResult> {
  const { given } = input;
  const missing = tool.required.filter((name) => (own(given, name) ?? null) === null);
  if (missing.length > 0) {
    return failure('invalid_request', `${tool.name} needs ${missing.join(', ')}.`);
  }
  // A field that the tool does not offer may cost what its bound does not see, or lead outside.
  const offered = Object.keys(Properties.parse(tool.input_schema).properties);
  const foreign = Object.keys(given).find((name) => !offered.includes(name));
  if (foreign !== undefined) {
    return failure(
      'invalid_request',
      `${foreign} is not an argument of ${tool.name}, which takes ${offered.join(', ')}.`,
    );
  }
  if (tool.name === UPLOAD_TOOL) return uploadRows(ports, tool, input);

  const isBounded = tool.credits_field !== null;
  const isWaiting = tool.ends !== null;
  const bounds = Bounds.safeParse({
    ...(isBounded ? { max_credits: own(given, 'max_credits') } : {}),
    ...(isWaiting ? { wait_seconds: own(given, 'wait_seconds') } : {}),
  });
  if (!bounds.success) {
    const [issue] = bounds.error.issues;
    return failure('invalid_request', `${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { max_credits: maxCredits, wait_seconds: waitSeconds } = bounds.data;
  const handedOn = Object.fromEntries(
    Object.entries(given).filter(
      ([name]) => !(isBounded && name === 'max_credits') && !(isWaiting && name === 'wait_seconds'),
    ),
  );
  const call = (further: object): Promise<EndpointReply> =>
    ports.callEndpoint(
      tool.endpoint,
      input.caller,
      endpointRequest(tool.endpoint, { ...handedOn, ...tool.fixed, ...further }),
      input.signal,
    );

  if (tool.credits_field !== null && maxCredits !== undefined) {
    const estimated = await call({ estimate: true });
    if (estimated.status >= 400) return resultOf(estimated);
    const estimate = JSON.parse(estimated.text) as Record<string, unknown>;
    const credits = z.number().parse(own(estimate, tool.credits_field));
    if (credits > maxCredits) {
      return failure(
        'max_credits_exceeded',
        `This could cost ${credits} credits, and max_credits is ${maxCredits}. Nothing was started. Ask the person whether ${credits} are right, and call again with max_credits of at least that.`,
        { estimate },
      );
    }
  }
  if (tool.ends === null || waitSeconds === 0) return resultOf(await call({}));
  const giveBack = await takePlace(
    ports,
    `waits ${input.caller.team_id}`,
    WAITS_MAX,
    WAIT_SECONDS_MAX + PLACE_SECONDS,
  );
  if (giveBack === null) {
    return failure(
      'rate_limited',
      `${WAITS_MAX} waits of your team are under way, which is the limit. Call ${tool.name} without wait_seconds, or in a minute.`,
    );
  }
  try {
    return await waitFor(ports, tool.ends, waitSeconds, () => call({}), input);
  } finally {
    await giveBack().catch(ports.onHeld);
  }
}

/** Looks at a record until it has ended, or the time is up: then it is answered as it is. */
async function waitFor(
  { clock }: CallToolPorts,
  ends: readonly string[],
  seconds: number,
  look: () => Promise<EndpointReply>,
  { signal, onProgress }: CallToolInput,
): Promise<ToolResult> {
  const until = clock.now() + seconds * 1000;
  let pause: number = LOOK_MILLISECONDS.first;
  for (let looks = 1; ; looks += 1) {
    const seen = await look();
    const left = until - clock.now();
    if (seen.status >= 400 || left <= 0) return resultOf(seen);
    const { status, progress } = JSON.parse(seen.text) as { status?: unknown; progress?: unknown };
    if (ends.includes(String(status))) return resultOf(seen);
    await onProgress(looks, [status, JSON.stringify(progress ?? null)].join(' '));
    await clock.sleep(Math.min(pause, left), signal);
    pause = Math.min(LOOK_MILLISECONDS.last, pause * 1.5);
  }
}

const Upload = z.strictObject({
  name: z.string().min(1).max(255),
  file_format: z.enum(['csv', 'json', 'jsonl']),
  content: z.string().min(1).max(UPLOAD_CHARACTERS_MAX),
});

const Created = z.object({
  dataset_id: z.string(),
  upload_instructions: z.object({ url: z.string() }),
});

async function uploadRows(
  { callEndpoint, sendText, completeUpload }: CallToolPorts,
  tool: CatalogTool,
  { caller, given, signal }: CallToolInput,
): Promise<ToolResult> {
  const upload = Upload.safeParse(given);
  if (!upload.success) {
    const [issue] = upload.error.issues;
    return failure('invalid_request', `${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { name, file_format, content } = upload.data;
  const file_size_bytes = Buffer.byteLength(content);
  const source = { name, file_format, file_size_bytes };
  const created = await callEndpoint(
    tool.endpoint,
    caller,
    endpointRequest(tool.endpoint, { source }),
    signal,
  );
  if (created.status >= 400) return resultOf(created);
  const { dataset_id, upload_instructions } = Created.parse(JSON.parse(created.text));
  const sent = await sendText(upload_instructions.url, content, signal);
  if (sent >= 300) {
    return failure(
      'service_unavailable',
      `The storage refused the file (status ${sent}). Call upload_rows again.`,
    );
  }
  const completed = await callEndpoint(
    completeUpload,
    caller,
    endpointRequest(completeUpload, { dataset_id, file_size_bytes }),
    signal,
  );
  return resultOf(completed);
}
