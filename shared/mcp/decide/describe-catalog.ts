import { own, putOwn } from '#shared/platform/own.ts';
import type { Catalog, CatalogTool, Endpoint } from '../schema/catalog.ts';
import {
  resourceDeclarations,
  type ToolDeclaration,
  toolDeclarations,
  UPLOAD_CHARACTERS_MAX,
  UPLOAD_TOOL,
  WAIT_SECONDS_MAX,
} from './tools.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** The parts of a contract that tools are made of. */
export interface DescribedContract {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly description?: string;
  readonly credits: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
  readonly description?: string;
}

interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}

/** The parts of the API document that tools are made of. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

interface Described {
  readonly endpoint: Endpoint;
  readonly operation: Operation;
  readonly contract: DescribedContract;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

const REFERENCE = '#/components/schemas/';

/** The schema behind a reference, if it is one. */
function resolved(document: ApiDocument, schema: JsonSchema): JsonSchema {
  const { $ref } = schema;
  return typeof $ref === 'string'
    ? (own(document.components.schemas, $ref.slice(REFERENCE.length)) ?? {})
    : schema;
}

function describeEndpoint(
  document: ApiDocument,
  contracts: readonly DescribedContract[],
  id: string,
): Described {
  const contract = contracts.find((each) => each.id === id);
  if (contract === undefined) throw new Error(`No contract has the id ${id}.`);
  const operation = own(own(document.paths, contract.path) ?? {}, contract.method.toLowerCase()) as
    | Operation
    | undefined;
  if (operation === undefined)
    throw new Error(`The API document has no ${contract.method} ${contract.path}.`);
  const parameters = operation.parameters ?? [];
  const namesIn = (place: string): string[] =>
    parameters.filter((each) => each.in === place).map(({ name }) => name);
  const given = parameters.filter((each) => each.in === 'path' || each.in === 'query');
  const media = operation.requestBody?.content['application/json'];
  const body = media === undefined ? {} : resolved(document, media.schema);
  const fields = (body.properties ?? {}) as Record<string, JsonSchema>;
  const twice = given.filter(({ name }) => Object.hasOwn(fields, name));
  if (twice.length > 0) throw new Error(`${id} has ${twice[0]?.name} in two places.`);
  return {
    contract,
    operation,
    endpoint: {
      function_id: `api/${id.replaceAll('.', '/')}`,
      method: contract.method,
      path: contract.path,
      path_names: namesIn('path'),
      query_names: namesIn('query'),
      has_body: media !== undefined,
    },
    properties: {
      ...Object.fromEntries(
        given.map(({ name, schema, description }) => [
          name,
          { ...schema, ...(description === undefined ? {} : { description }) },
        ]),
      ),
      ...fields,
    },
    required: [
      ...given.filter(({ required }) => required === true).map(({ name }) => name),
      ...((body.required ?? []) as string[]),
    ],
  };
}

/** A copy whose references are to `$defs`, without examples, which only the document shows. `found` gets the names. */
function rewritten(value: unknown, found: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((each) => rewritten(each, found));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, each]) => !(name === 'example' && typeof each !== 'function'))
      .map(([name, each]) => {
        if (name !== '$ref' || typeof each !== 'string') return [name, rewritten(each, found)];
        const target = each.slice(REFERENCE.length);
        found.add(target);
        return [name, `#/$defs/${target}`];
      }),
  );
}

/** A schema that stands alone: with the definitions that it refers to. */
function standingAlone(document: ApiDocument, schema: JsonSchema): JsonSchema {
  const found = new Set<string>();
  const copy = rewritten(schema, found) as JsonSchema;
  const definitions: Record<string, unknown> = {};
  // The set grows while it is read.
  for (const name of found) {
    putOwn(definitions, name, rewritten(own(document.components.schemas, name) ?? {}, found));
  }
  return found.size === 0 ? copy : { ...copy, $defs: definitions };
}

const MAX_CREDITS: JsonSchema = {
  type: 'number',
  minimum: 0,
  description:
    'The most credits that this may cost, as the person you work for has confirmed. If it could cost more, nothing starts and the estimate is the answer.',
};

const WAIT_SECONDS: JsonSchema = {
  type: 'integer',
  minimum: 0,
  maximum: WAIT_SECONDS_MAX,
  description: `Waits up to this many seconds, at most ${WAIT_SECONDS_MAX}, until the work has ended; progress is notified. Call again if it goes on. Default: 0.`,
};

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function describeTool(document: ApiDocument, declared: ToolDeclaration, found: Described): CatalogTool {
  const { operation, contract } = found;
  const { fixed = {}, schemas = {}, creditsField = null, ends = null, required = [] } = declared;
  const withheld = ['estimate', ...Object.keys(fixed)];
  const offered = (declared.fields ?? Object.keys(found.properties)).filter(
    (name) => !withheld.includes(name),
  );
  const unknown = offered.filter((name) => !Object.hasOwn(found.properties, name));
  if (unknown.length > 0)
    throw new Error(`${declared.name} offers ${unknown.join(', ')}, which its endpoint lacks.`);
  const asksCredits = creditsField === null ? [] : ['max_credits'];
  const properties = {
    ...Object.fromEntries(
      offered.map((name) => [name, own(schemas, name) ?? own(found.properties, name) ?? {}]),
    ),
    ...(creditsField === null ? {} : { max_credits: MAX_CREDITS }),
    ...(ends === null ? {} : { wait_seconds: WAIT_SECONDS }),
  };
  return {
    name: declared.name,
    title: operation.summary,
    description: [
      sentence(operation.summary),
      contract.description,
      declared.hint,
      `Credits: ${contract.credits}`,
    ]
      .filter((part) => part !== undefined)
      .join(' '),
    input_schema: standingAlone(document, {
      type: 'object',
      properties,
      required: [...found.required.filter((name) => offered.includes(name)), ...asksCredits, ...required],
      additionalProperties: false,
    }),
    is_read_only: contract.method === 'GET' || fixed.estimate === true || contract.id === 'datasets.lint',
    is_destructive: declared.isDestructive === true,
    endpoint: found.endpoint,
    fixed,
    credits_field: creditsField,
    ends: ends === null ? null : [...ends],
    required: [...asksCredits, ...required],
  };
}

/** The tool that makes a dataset of a text: it creates the dataset, sends the text and completes the upload. */
function describeUpload(found: Described): CatalogTool {
  return {
    name: UPLOAD_TOOL,
    title: 'Make a dataset of the text of a table',
    description:
      'Creates a dataset, uploads the text as its file and completes the upload. Then call get_dataset until its status is ' +
      'awaiting_input. For a file of the disk use the server over stdio, which has upload_file, or create_dataset.',
    input_schema: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 255, description: 'Name of the dataset.' },
        file_format: { type: 'string', enum: ['csv', 'json', 'jsonl'], description: 'What the text is.' },
        content: {
          type: 'string',
          minLength: 1,
          maxLength: UPLOAD_CHARACTERS_MAX,
          description: 'The table as text, with its header.',
        },
      },
      required: ['name', 'file_format', 'content'],
      additionalProperties: false,
    },
    is_read_only: false,
    is_destructive: false,
    endpoint: found.endpoint,
    fixed: {},
    credits_field: null,
    ends: null,
    required: ['name', 'file_format', 'content'],
  };
}

/**
 * Makes tools and resources of the endpoints that are declared as such.
 * @param guide the guide for agents
 * @throws {Error} if a declaration names an endpoint or a field that the API does not have
 */
export function describeCatalog(
  document: ApiDocument,
  contracts: readonly DescribedContract[],
  guide: string,
): Catalog {
  const find = (id: string): Described => describeEndpoint(document, contracts, id);
  return {
    tools: [
      ...toolDeclarations.map((declared) => describeTool(document, declared, find(declared.endpoint))),
      describeUpload(find('datasets.create')),
    ],
    resources: resourceDeclarations.map(({ endpoint, ...named }) => ({
      ...named,
      description: sentence(find(endpoint).operation.summary),
      endpoint: find(endpoint).endpoint,
    })),
    guide,
  };
}
