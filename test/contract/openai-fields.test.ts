import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { EndpointContract } from '#shared/platform/contracts/endpoint.ts';
import { FileSearchToolParam, FunctionToolParam } from '#shared/responses/schema/response-request.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import ts from '../../clients/typescript/node_modules/typescript/lib/typescript.js';

/** The declarations of the `openai` package of npm, of whatever version is installed. */
const RESOURCES = resolve(dirname(createRequire(import.meta.url).resolve('openai')), 'resources');

/** Requests of the package: the file and the name of their type, and the contract that takes them. */
const REQUESTS: readonly (readonly [file: string, type: string, contract: string, schema?: z.ZodType])[] = [
  ['chat/completions/completions', 'ChatCompletionCreateParamsBase', 'chat.completions.create'],
  ['responses/responses', 'ResponseCreateParamsBase', 'responses.create'],
  ['responses/responses', 'FunctionTool', 'tools of type function', FunctionToolParam],
  ['responses/responses', 'FileSearchTool', 'tools of type file_search', FileSearchToolParam],
  ['responses/responses', 'ResponseRetrieveParamsBase', 'responses.get'],
  ['responses/input-items', 'InputItemListParams', 'responses.input-items'],
  ['files', 'FileCreateParams', 'files.create'],
  ['files', 'FileListParams', 'files.list'],
  ['fine-tuning/jobs/jobs', 'JobCreateParams', 'fine-tuning.jobs.create'],
  ['fine-tuning/jobs/jobs', 'JobListParams', 'fine-tuning.jobs.list'],
  ['fine-tuning/jobs/jobs', 'JobListEventsParams', 'fine-tuning.jobs.events'],
  ['fine-tuning/jobs/checkpoints', 'CheckpointListParams', 'fine-tuning.jobs.checkpoints'],
  ['evals/evals', 'EvalCreateParams', 'evals.create'],
  ['evals/evals', 'EvalUpdateParams', 'evals.update'],
  ['evals/evals', 'EvalListParams', 'evals.list'],
  ['evals/runs/runs', 'RunCreateParams', 'evals.runs.create'],
  ['evals/runs/runs', 'RunListParams', 'evals.runs.list'],
  ['evals/runs/output-items', 'OutputItemListParams', 'evals.runs.output-items.list'],
  ['batches', 'BatchCreateParams', 'batches.create'],
  ['batches', 'BatchListParams', 'batches.list'],
];

const program = ts.createProgram([...new Set(REQUESTS.map(([file]) => resolve(RESOURCES, `${file}.d.ts`)))], {
  skipLibCheck: true,
  noEmit: true,
  strict: true,
  types: [],
  target: ts.ScriptTarget.ES2022,
});
const checker = program.getTypeChecker();

function typeOf(file: string, name: string): ts.Type {
  const source = program.getSourceFile(resolve(RESOURCES, `${file}.d.ts`));
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  const found = module === undefined ? [] : checker.getExportsOfModule(module);
  const symbol = found.find((each) => each.name === name);
  if (symbol === undefined) throw new Error(`The package has no type ${name} in ${file}.`);
  return checker.getDeclaredTypeOfSymbol(symbol);
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const isOfPackage = (symbol: ts.Symbol): boolean =>
  symbol.declarations?.some((each) => each.getSourceFile().fileName.includes('/openai/')) === true;

/** The fields of a type and of what is in them, as paths. */
function fieldsOf(type: ts.Type, path: string, above: readonly ts.Type[], found: Set<string>): Set<string> {
  if (above.includes(type)) return found;
  const within = [...above, type];
  if (type.isUnion()) for (const each of type.types) fieldsOf(each, path, within, found);
  else if (checker.isArrayType(type))
    for (const each of checker.getTypeArguments(type as ts.TypeReference))
      fieldsOf(each, path, within, found);
  else if (type.flags & ts.TypeFlags.Object || type.isIntersection()) {
    for (const field of checker.getPropertiesOfType(type)) {
      if (!isOfPackage(field)) continue;
      const at = join(path, field.name);
      found.add(at);
      fieldsOf(checker.getTypeOfSymbol(field), at, within, found);
    }
  }
  return found;
}

type Schema = Readonly<Record<string, unknown>>;

/** What a JSON Schema says of a field, and of the fields in it. */
interface Field {
  readonly description: string;
  /** Objects at this place: whether one takes fields that it does not name, and whether any value is taken. */
  isObject: boolean;
  isLoose: boolean;
  isAny: boolean;
}

class Schemas {
  readonly fields = new Map<string, Field>();
  private readonly root: Schema;

  constructor(root: Schema) {
    this.root = root;
    this.#read(root, '', '', 0);
  }

  #read(schema: Schema, path: string, description: string, depth: number): void {
    if (depth > 30) throw new Error(`${path} refers to itself.`);
    const own = typeof schema.description === 'string' ? schema.description : description;
    const field = this.fields.get(path) ?? {
      description: own,
      isObject: false,
      isLoose: false,
      isAny: false,
    };
    this.fields.set(path, field);
    const read = (each: unknown, at = path, said = own): void =>
      this.#read(each as Schema, at, said, depth + 1);
    if (typeof schema.$ref === 'string') {
      read((this.root.$defs as Schema)[schema.$ref.split('/').at(-1) ?? '']);
      return;
    }
    for (const each of [schema.anyOf, schema.oneOf, schema.allOf])
      for (const one of (each ?? []) as Schema[]) read(one);
    if (schema.type === 'array' && schema.maxItems !== 0) read(schema.items ?? {});
    if (schema.properties !== undefined) {
      field.isObject = true;
      field.isLoose ||= schema.additionalProperties !== false;
      for (const [name, each] of Object.entries(schema.properties ?? {})) read(each, join(path, name), '');
    } else if (schema.type === 'object' || Object.keys(schema).every((key) => key === 'description')) {
      field.isAny = true;
    }
  }
}

/** How a field of the package is taken: a description of a field that is refused begins with these words. */
const REFUSED = /^(Not supported|Only )/;

function classify(fields: ReadonlySet<string>, known: ReadonlyMap<string, Field>) {
  const [taken, refused, passed]: [string[], string[], string[]] = [[], [], []];
  for (const path of fields) {
    const field = known.get(path);
    if (field !== undefined) {
      if (!REFUSED.test(field.description)) taken.push(path);
      continue;
    }
    const above = known.get(path.split('.').slice(0, -1).join('.'));
    // What is in a field that is not named, or takes no object, or takes any, is as that field is.
    if (above === undefined || above.isAny || !above.isObject) continue;
    (above.isLoose ? passed : refused).push(path);
  }
  return { taken, refused, passed };
}

const all: Record<'taken' | 'refused' | 'passed', string[]> = { taken: [], refused: [], passed: [] };
for (const [file, type, id, schema = requestOf(id)] of REQUESTS) {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  const fields = classify(fieldsOf(typeOf(file, type), '', [], new Set()), new Schemas(json).fields);
  for (const kind of ['taken', 'refused', 'passed'] as const)
    all[kind].push(...fields[kind].map((path) => `${id} ${path}`));
}

function requestOf(id: string): z.ZodType {
  const contract: EndpointContract | undefined = contracts.find((each) => each.id === id);
  const schema = contract?.body ?? contract?.form ?? contract?.query;
  if (schema === undefined) throw new Error(`There is no request of ${id}.`);
  return schema;
}

/** Those of a kind that none of these stand for, and those of these that stand for none. */
function unstated(found: readonly string[], stated: Readonly<Record<string, string>>): string[] {
  const stand = (name: string, path: string): boolean => path === name || path.startsWith(`${name}.`);
  const names = Object.keys(stated);
  return [
    ...found.filter((path) => !names.some((name) => stand(name, path))),
    ...names
      .filter((name) => !found.some((path) => stand(name, path)))
      .map((name) => `${name} is there no more`),
  ];
}

/** Refused as fields that are not known, by a message with their path. */
const NOT_TAKEN = {
  'chat.completions.create messages.content.prompt_cache_breakpoint': 'providers place theirs themselves',
  'chat.completions.create messages.content.input_audio': 'models read texts and images',
  'chat.completions.create messages.content.file': 'files are datasets, which a search reads',
  'chat.completions.create messages.tool_calls.custom': 'tools are functions',
  'chat.completions.create tool_choice.allowed_tools': 'tools that may not be called are left out',
  'chat.completions.create tool_choice.custom': 'tools are functions',
  'chat.completions.create tools.custom': 'tools are functions',
  'responses.create tool_choice.mode': 'tools that may not be called are left out',
  'responses.create tool_choice.tools': 'tools that may not be called are left out',
  'responses.get starting_after': 'a stored response is answered whole',
  'files.create expires_after': 'files stay until they are deleted',
  'fine-tuning.jobs.create method.reinforcement': 'trainers train on answers and on pairs',
  'evals.create testing_criteria.input.content.prompt_cache_breakpoint': 'providers place theirs themselves',
  'evals.create testing_criteria.input.content.input_audio': 'graders read texts',
  'evals.create testing_criteria.input.content.image_url': 'graders read texts',
  'evals.create testing_criteria.input.content.detail': 'graders read texts',
  'evals.runs.create data_source.input_messages.template.content': 'templates are texts',
  'evals.runs.create data_source.input_messages.template.phase': 'a template has no earlier answer',
  'evals.runs.create data_source.source.instructions_search': 'stored responses are not searched',
  'evals.runs.create data_source.source.reasoning_effort':
    'stored responses are found by model, time and metadata',
  'evals.runs.create data_source.source.temperature':
    'stored responses are found by model, time and metadata',
  'evals.runs.create data_source.source.tools': 'stored responses are found by model, time and metadata',
  'evals.runs.create data_source.source.top_p': 'stored responses are found by model, time and metadata',
  'evals.runs.create data_source.source.users': 'stored responses are found by model, time and metadata',
  'evals.runs.output-items.list eval_id': 'it is in the path',
  'batches.create output_expires_after': 'files of a batch stay for 30 days',
  'tools of type file_search filters': 'a search reads all rows of its datasets',
  'tools of type file_search ranking_options': 'rows are ranked in one way',
};

/** Taken without being named: something else than the schema reads them. */
const PASSED_ON = {
  'responses.create input': 'items of a provider’s tools go back to it as they came',
  'responses.create tools': 'tools that a provider runs are passed on as they are',
  'fine-tuning.jobs.list metadata': 'its names are in brackets in a query',
};

/** Taken, named, and read by nothing. */
const WITHOUT_EFFECT = {
  'evals.create testing_criteria.image_tag': 'a grader’s program is not told of images',
};

test('each field of a request of the openai package is named by its schema, or stated with the reason why not', () => {
  expect(unstated(all.refused, NOT_TAKEN)).toEqual([]);
  expect(unstated(all.passed, PASSED_ON)).toEqual([]);
  expect(all.taken.length).toBeGreaterThan(200);
});

test('each field that is taken is read by the code, or stated with the reason why not', () => {
  const code = readdirSync('shared', { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(openai|evals|responses|models|training)\/(?!schema|contracts).*\.ts$/.test(name))
    .map((name) => readFileSync(resolve('shared', name), 'utf8'))
    .concat(readFileSync('functions/api/evals/list.ts', 'utf8'));
  const names = new Set(code.flatMap((text) => text.match(/\w+/g) ?? []));
  const unread = all.taken.filter((path) => !names.has(path.split(/[. ]/).at(-1) ?? ''));

  expect(unstated(unread, WITHOUT_EFFECT)).toEqual([]);
});

test('a field that a later version of the package adds is found at any depth', () => {
  const fields = new Set(['known', 'new', 'known.new', 'none.new', 'any.new', 'loose.new']);
  const schema = z.strictObject({
    known: z.strictObject({ a: z.string() }),
    none: z.null().describe('Not supported; omit it.'),
    any: z.record(z.string(), z.unknown()),
    loose: z.looseObject({ b: z.string() }),
  });

  expect(classify(fields, new Schemas(z.toJSONSchema(schema) as Schema).fields)).toEqual({
    taken: ['known'],
    refused: ['new', 'known.new'],
    passed: ['loose.new'],
  });
});
