import { readFile, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi';
import { scopeOf } from '#shared/events/decide/may-read.ts';
import { Event } from '#shared/events/schema/event.ts';
import { type EndpointContract, errorsOf } from '#shared/platform/contracts/endpoint.ts';
import { type ErrorCode, errorCatalog } from '#shared/platform/errors/catalog.ts';
import { isSafeBound } from '#shared/platform/errors/from-zod.ts';
import { IdempotencyKey, OrganizationId } from '#shared/platform/schema/common.ts';
import { DEFAULT_PLAN, Plan, planLimits } from '#shared/platform/schema/plan.ts';
import { Problem } from '#shared/platform/schema/problem.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { clientsPage } from './openapi/clients-page.ts';
import { codeSamples } from './openapi/code-samples.ts';
import { errorExample } from './openapi/error-examples.ts';
import { exampleOf } from './openapi/example-of.ts';
import { webhooks } from './openapi/webhooks.ts';
import { acceptedExample, answerExample, streamExamples } from './openapi/whole-examples.ts';

const FILE = new URL('../openapi.json', import.meta.url);
const ERRORS_FILE = new URL('../docs/errors.md', import.meta.url);
const EVENTS_FILE = new URL('../docs/events.md', import.meta.url);
const LIMITS_FILE = new URL('../docs/limits.md', import.meta.url);
const CLIENTS_FILE = new URL('../docs/clients.md', import.meta.url);

const tags: Record<EndpointContract['tag'], string> = {
  Datasets: 'Datasets and their contents',
  Uploads: 'Uploading a file in three steps: ask for a URL, PUT the file, complete',
  Adaptation: 'Improving the rows of a dataset and scoring the result',
  Review: 'Looking at rows that may be wrong, and saying so: verdicts, and the version that they make',
  Growth: 'New datasets with more rows: of a dataset that there is, or from scratch',
  Training: 'Training models on datasets',
  Responses: 'Answers of models, with tools, datasets and a history',
  OpenAI: 'Files, batches, fine-tuning and evals as in OpenAI’s API, for scripts that were written for it',
  Account: 'Who calls, with which limits, and what was spent on what',
  Service: 'The service itself; these routes need no key',
};

const statusTitles: Record<number, string> = {
  400: 'The request is not valid',
  401: 'The API key is missing, malformed, unknown or revoked',
  402: 'Not enough credits',
  403: 'The key or the plan does not allow this',
  404: 'There is no such thing, or it belongs to another team',
  409: 'The state of the dataset does not allow this now',
  413: 'The request or the file is too large',
  415: 'The format is not supported',
  422: 'The request is understood and cannot be carried out',
  429: 'Too much at once',
  500: 'The service failed',
  501: 'Not implemented',
  503: 'Not ready yet',
};

const header = (description: string, schema: object): { description: string; schema: object } => ({
  description,
  schema,
});

const requestIdHeader = {
  'x-request-id': header('Names the request in the service’s log', { type: 'string' }),
};

function successHeaders(contract: EndpointContract): Record<string, { description: string; schema: object }> {
  return {
    ...requestIdHeader,
    ...(contract.status === 307
      ? { Location: header('Where the file is, for fifteen minutes', { type: 'string', format: 'uri' }) }
      : {}),
    ...(contract.readsIdempotencyKey === true
      ? { 'Idempotency-Key': header('The key that a repetition sends', { type: 'string' }) }
      : {}),
    ...(contract.successor === undefined
      ? {}
      : {
          Deprecation: header('The route is kept for older clients', { type: 'string', const: 'true' }),
          Link: header('The route that takes its place', {
            type: 'string',
            const: `<${contract.successor}>; rel="successor-version"`,
          }),
        }),
  };
}

/** The beginning of a file that is no JSON. */
const textExample = ({ contentType }: EndpointContract): string =>
  contentType === 'text/html' ? '<!doctype html>\n<html lang="en">…</html>' : '/* … */';

function success(contract: EndpointContract): ZodOpenApiResponseObject {
  const description =
    contract.status === 307 ? 'The file is there' : contract.status === 202 ? 'Accepted' : 'Done';
  const { response } = contract;
  const content =
    response !== undefined
      ? {
          'application/json': { schema: response, example: answerExample(contract.id, response) },
          ...(contract.streams !== undefined
            ? {
                'text/event-stream': {
                  schema: { type: 'string' as const },
                  example: streamExamples[contract.id],
                },
              }
            : {}),
        }
      : contract.contentType !== undefined
        ? { [contract.contentType]: { schema: { type: 'string' as const }, example: textExample(contract) } }
        : undefined;
  return {
    description,
    headers: successHeaders(contract),
    ...(content === undefined ? {} : { content }),
  } as ZodOpenApiResponseObject;
}

function accepted(contract: EndpointContract, schema: z.ZodType): ZodOpenApiResponseObject {
  return {
    description: 'Accepted: look after it at Location',
    headers: {
      ...successHeaders(contract),
      Location: header('Where its state is told', { type: 'string' }),
    },
    content: { 'application/json': { schema, example: acceptedExample(contract.id, schema) } },
  } as ZodOpenApiResponseObject;
}

/** What a protocol answers besides: a notification with nothing, and a fault of a message in its own words. */
function protocolResponses(contract: EndpointContract): Record<string, ZodOpenApiResponseObject> {
  const refusal = describeFailure(400, codesByStatus(contract).get(400) ?? []);
  const problem = refusal.content?.['application/json'];
  const replied = { $ref: '#/components/schemas/McpReply' };
  return {
    202: {
      description: 'Accepted: a notification, which has no answer',
      headers: requestIdHeader,
    } as ZodOpenApiResponseObject,
    400: {
      ...refusal,
      content: { 'application/json': { ...problem, schema: { anyOf: [problem?.schema, replied] } } },
    } as ZodOpenApiResponseObject,
  };
}

/** Error codes of the route by status; a path with a parameter can also miss every route. */
export function codesByStatus(contract: EndpointContract): Map<number, ErrorCode[]> {
  const codes = new Set([
    ...errorsOf(contract),
    ...(contract.params === undefined ? [] : (['route_not_found'] as const)),
  ]);
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = errorCatalog[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return new Map([...groups].sort(([a], [b]) => a - b));
}

/** Identical responses of several routes are one component, which zod-openapi identifies by its object. */
const failures = new Map<string, ZodOpenApiResponseObject>();

function failure(status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const id = ['Problem', status, ...codes].join('.');
  const known = failures.get(id) ?? { id, ...describeFailure(status, codes) };
  failures.set(id, known);
  return known;
}

/** One example of each error that any route returns. */
function errorExamples(): Record<string, { summary: string; value: Problem }> {
  const codes = contracts.flatMap((contract) => [...codesByStatus(contract).values()].flat());
  return Object.fromEntries(
    [...new Set(codes)]
      .sort()
      .map((code) => [code, { summary: errorCatalog[code].title, value: errorExample(code) }]),
  );
}

/** Whether an answer with one of these codes may say when to come back. */
const namesWait = (status: number, codes: readonly ErrorCode[]): boolean =>
  status === 429 || status === 503 || (status === 409 && codes.some((code) => errorCatalog[code].retryable));

function describeFailure(status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const list = codes.map((code) => `- \`${code}\`: ${errorCatalog[code].title}`).join('\n');
  return {
    description: `${statusTitles[status] ?? 'Failed'}\n\n${list}`,
    headers: {
      ...requestIdHeader,
      ...(namesWait(status, codes)
        ? {
            'Retry-After': header('Seconds after which to come back', {
              type: 'string',
              pattern: '^[0-9]+$',
            }),
          }
        : {}),
      ...(status === 409 || status === 429 || status >= 500
        ? {
            'x-should-retry': header('Whether the same request can succeed later', {
              type: 'string',
              enum: ['true', 'false'],
            }),
          }
        : {}),
      ...(status === 401
        ? { 'www-authenticate': header('How to authenticate', { type: 'string', const: 'Bearer' }) }
        : {}),
    },
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            {
              type: 'object',
              properties: {
                code: { enum: [...codes], description: 'The codes that this route answers with.' },
              },
            },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  } as ZodOpenApiResponseObject;
}

/** `datasets.uploads.complete-by-id` → `datasetsUploadsCompleteById`. */
const operationId = (id: string): string =>
  id.replaceAll(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase());

/** What kind of key an endpoint needs, in words. */
function needs({ scope }: EndpointContract): string {
  if (scope === null) return 'Needs no key.';
  return scope === 'any' ? 'Needs a key, of any scope.' : `Needs a key with the scope \`${scope}\`.`;
}

/** The same as the document has it: a key without a scope is one of any. */
function security({ scope }: EndpointContract): { bearer: string[] }[] {
  return scope === null ? [] : [{ bearer: scope === 'any' ? [] : [scope] }];
}

function describe(contract: EndpointContract): string {
  const lines = [
    contract.description,
    `**Data:** ${contract.data}`,
    `**Credits:** ${contract.credits}`,
    needs(contract),
    contract.successor === undefined ? undefined : `Kept for older clients: use \`${contract.successor}\`.`,
  ];
  return lines.filter((line) => line !== undefined).join('\n\n');
}

/** The headers that an endpoint reads; null if there are none. */
function requestHeaders({
  readsIdempotencyKey,
  readsOrganization,
  streams,
}: EndpointContract): z.ZodObject | null {
  const headers = {
    ...(readsIdempotencyKey === true
      ? {
          'Idempotency-Key': IdempotencyKey.optional().meta({
            description:
              'Key of 1 to 255 characters. A repeated request with the same key and body returns the first response. Without one the service makes one and returns it.',
          }),
        }
      : {}),
    ...(readsOrganization === true
      ? {
          'X-Organization-Id': OrganizationId.optional().meta({
            description: 'The organization that the caller means; one that the key is not of is refused',
          }),
        }
      : {}),
    ...(streams === 'accept'
      ? {
          'Last-Event-ID': z.string().optional().meta({
            description: 'The `id` of the last event that was received: the stream continues after it',
          }),
        }
      : {}),
    ...(streams === 'body'
      ? {
          traceparent: z.string().optional().meta({
            description:
              'The trace that the answer is part of (W3C Trace Context); one of another form is none',
          }),
        }
      : {}),
  };
  return Object.keys(headers).length === 0 ? null : z.object(headers);
}

function operation(contract: EndpointContract): ZodOpenApiOperationObject {
  const { params, query, form } = contract;
  const body = contract.body ?? form;
  const example = body === undefined ? undefined : exampleOf(contract.id, body, 'input');
  const headers = requestHeaders(contract);
  return {
    operationId: operationId(contract.id),
    summary: contract.summary,
    description: describe(contract),
    tags: [contract.tag],
    ...(contract.successor === undefined ? {} : { deprecated: true }),
    security: security(contract),
    ...(params === undefined && query === undefined && headers === null
      ? {}
      : {
          requestParams: {
            ...(params === undefined ? {} : { path: params as z.ZodObject }),
            ...(query === undefined ? {} : { query: query as z.ZodObject }),
            ...(headers === null ? {} : { header: headers }),
          },
        }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            // A missing body counts as an empty object.
            required: !body.safeParse({}).success,
            content: {
              [form === undefined ? 'application/json' : 'multipart/form-data']: { schema: body, example },
            },
          },
        }),
    'x-codeSamples': codeSamples(contract, example),
    responses: {
      [`${contract.status}`]: success(contract),
      ...(contract.accepted === undefined ? {} : { 202: accepted(contract, contract.accepted) }),
      ...Object.fromEntries(
        [...codesByStatus(contract)].map(([status, codes]) => [`${status}`, failure(status, codes)]),
      ),
      ...(contract.streams === 'protocol' ? protocolResponses(contract) : {}),
    },
  } as ZodOpenApiOperationObject;
}

type JsonSchema = Record<string, unknown>;

/**
 * Query parameters arrive as text, so their schemas parse text; the document shows the resulting number. Other
 * parameters are unchanged.
 */
function numberOf(schema: z.ZodType): JsonSchema | null {
  const { type, minimum, maximum, default: fallback, description } = z.toJSONSchema(schema, { io: 'output' });
  if (type !== 'integer' && type !== 'number') return null;
  return {
    type,
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(description === undefined ? {} : { description }),
  };
}

/**
 * Removes the default bounds of integers, writes regular expressions in their JavaScript meaning (in other languages
 * `\d` also matches digits of other scripts), and names the one recursive schema, which is any JSON.
 */
function polish(document: object): JsonSchema {
  const text = JSON.stringify(document, (key, value) => {
    if ((key === 'minimum' || key === 'maximum') && typeof value === 'number' && isSafeBound(value)) {
      return undefined;
    }
    return key === 'pattern' && typeof value === 'string' ? value.replaceAll('\\d', '[0-9]') : value;
  });
  const named = JSON.parse(text.replaceAll(/__schema[0-9]+/g, 'JsonValue'));
  const { JsonValue: json } = named.components.schemas;
  if (json !== undefined && JSON.stringify(json.anyOf?.[0]) !== '{"type":"string"}') {
    throw new Error('A recursive schema other than z.json() needs a name: give it an id with .meta({ id }).');
  }
  return named;
}

const routeOf = (contract: EndpointContract): string => `${contract.path} ${contract.method}`;

/** The whole API as an OpenAPI 3.1 document: the contracts, and the requests that webhooks receive. */
export function buildDocument(version: string): JsonSchema {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  // The order of a module's exports depends on the loader; the document's order must not.
  const ordered = [...contracts].sort((a, b) => (routeOf(a) < routeOf(b) ? -1 : 1));
  for (const contract of ordered) {
    paths[contract.path] = {
      ...paths[contract.path],
      [contract.method.toLowerCase()]: operation(contract),
    };
  }
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Tunesmith',
      version,
      description:
        'Adapts, grades and grows datasets, trains models on them and answers with those models.\n\n' +
        'A first adaptation in six calls: `POST /api/v1/datasets` creates a dataset and answers an upload URL; `PUT` the file ' +
        'there; `POST /api/v1/datasets/{dataset_id}/upload/complete`; `GET …/status` until `awaiting_input` (or `failed`); ' +
        '`POST …/adapt` with a `column_mapping`, first with `estimate: true` for its price; `GET …/status` until `succeeded` (or `failed`). ' +
        'Then `GET …/evaluation` has the grades, `GET …/report` what became of each row, `GET …/download` the rows.\n\n' +
        'Every error has the shape `Problem`; its `code` is stable, its `message` says what to do.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Relative to the URL of this document, `<stage>/api/v1/openapi.json`.
    servers: [{ url: '../..', description: 'This installation' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: paths as never,
    webhooks,
    components: {
      schemas: { Problem },
      examples: errorExamples(),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key (`pt_live_…`). What it may do is in its scopes.',
        },
      },
    },
  }) as unknown as { paths: Record<string, Record<string, { parameters?: JsonSchema[] }>> };

  for (const contract of contracts) {
    const shape = (contract.query as z.ZodObject | undefined)?.shape ?? {};
    for (const parameter of document.paths[contract.path]?.[contract.method.toLowerCase()]?.parameters ??
      []) {
      const field = parameter.in === 'query' ? shape[String(parameter.name)] : undefined;
      const number = field === undefined ? null : numberOf(field as z.ZodType);
      if (number !== null) parameter.schema = number;
    }
  }
  return polish(document);
}

/** The committed and served document. */
export async function renderDocument(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  return `${JSON.stringify(buildDocument(version), null, 2)}\n`;
}

/** Every error code with its status, for people: the values of `Problem.code`, `error_data.code` and a run's error. */
function renderErrors(): string {
  const rows = Object.entries(errorCatalog)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(
      ([code, { status, title, retryable }]) =>
        `| \`${code}\` | ${status} | ${title} | ${retryable ? 'yes' : 'no'} |`,
    );
  return `# Error codes

Every error has the shape \`Problem\` of the API's document: \`code\` is stable, \`message\` says what to do, \`details\` name
each bad field with its path. An optional field that is null counts as left out. A dataset that failed carries the same codes in \`error_data\`. "Retry" says whether
to repeat the same request after a while; "no" also where something has to end first, which the message names. It is sent as
\`x-should-retry\` with statuses 409, 429 and from 500.

This page is written by \`npm run openapi\`.

| Code | Status | Meaning | Retry |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

/** The page on limits with its table of the limits of a plan. */
function limitsPage(page: string): string {
  const rows = planLimits().map((limit) => {
    const value = DEFAULT_PLAN[limit]?.toLocaleString('en-US') ?? 'none';
    return `| \`${limit}\` | ${value} | ${Plan.shape[limit].description} |\n`;
  });
  const table = /(\| Limit of a plan .*\n.*\n)(?:\|.*\n)*/;
  return page.replace(table, (_, head: string) => `${head}${rows.join('')}`);
}

/** The page on events with its table of their types. */
function eventsPage(page: string): string {
  const rows = Event.options.map(({ shape: { type, data } }) => {
    const scope = scopeOf(type.value);
    return `| \`${type.value}\` | ${data.description} | ${scope === null ? 'any' : `\`${scope}\``} |\n`;
  });
  const table = /(\| Event .*\n.*\n)(?:\|.*\n)*/;
  return page.replace(table, (_, head: string) => `${head}${rows.join('')}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files: readonly [URL, string][] = [
    [FILE, await renderDocument()],
    [ERRORS_FILE, renderErrors()],
    [EVENTS_FILE, eventsPage(await readFile(EVENTS_FILE, 'utf8'))],
    [LIMITS_FILE, limitsPage(await readFile(LIMITS_FILE, 'utf8'))],
    [CLIENTS_FILE, clientsPage(await readFile(CLIENTS_FILE, 'utf8'))],
  ];
  for (const [file, text] of files) {
    if ((await readFile(file, 'utf8').catch(() => '')) === text) continue;
    if (!process.argv.includes('--check')) {
      await writeFile(file, text);
      console.log(`wrote ${relative(process.cwd(), fileURLToPath(file))}`);
    } else {
      throw new Error(
        `${fileURLToPath(file)} does not match the contracts: run "npm run openapi" and commit it.`,
      );
    }
  }
}
