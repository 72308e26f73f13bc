import type { ResponseRequest } from './request.ts';

/** Name of the variable that holds the key in samples, which never contain it. */
const KEY = 'ADAPTION_API_KEY';
/** Name of the variable that holds the credential of an own tool server. */
const TOOL_KEY = 'TOOL_AUTHORIZATION';
/** Stands where a variable is put after the text around it has been quoted. */
const PLACE = '\u0000';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The request as plain JSON, with the credential of a tool server taken out. */
function withoutSecrets(request: ResponseRequest): { readonly body: Json; readonly hasToolKey: boolean } {
  let hasToolKey = false;
  const body = JSON.parse(
    JSON.stringify(request, (name, value: unknown) => {
      if (name !== 'authorization') return value;
      hasToolKey = true;
      return PLACE;
    }),
  ) as Json;
  return { body, hasToolKey };
}

/** Characters that change how code looks, or that nobody sees. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\u2028\u2029]/gu;

/** A JSON string whose unseen characters are escapes: valid in JSON, Python and TypeScript alike. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(UNSEEN, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );

interface Language {
  readonly name: (name: string) => string;
  readonly literals: Readonly<Record<'true' | 'false' | 'null', string>>;
  readonly variable: string;
}

const JSON_TEXT: Language = {
  name: quoted,
  literals: { true: 'true', false: 'false', null: 'null' },
  variable: `"${PLACE}"`,
};
const PYTHON: Language = {
  name: quoted,
  literals: { true: 'True', false: 'False', null: 'None' },
  variable: `os.environ["${TOOL_KEY}"]`,
};
const TYPESCRIPT: Language = {
  name: (name) => name,
  literals: { true: 'true', false: 'false', null: 'null' },
  variable: `process.env.${TOOL_KEY}`,
};

/** A value as code, two spaces a level. */
function code(value: Json, language: Language, indent: string): string {
  if (value === null) return language.literals.null;
  if (typeof value === 'boolean') return language.literals[`${value}`];
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value === PLACE ? language.variable : quoted(value);
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? (value as readonly Json[]).map((each) => code(each, language, deeper))
    : Object.entries(value).map(([name, each]) => `${language.name(name)}: ${code(each, language, deeper)}`);
  const [open, close] = isList ? '[]' : '{}';
  const flat = `${open}${isList ? '' : ' '}${parts.join(', ')}${isList ? '' : ' '}${close}`;
  if (flat.length <= 60 && !flat.includes('\n')) return flat;
  return `${open}\n${parts.map((part) => `${deeper}${part}`).join(',\n')}\n${indent}${close}`;
}

export type SampleLanguage = 'curl' | 'Python' | 'TypeScript';

/** The request as code that anybody can run who has the key in `ADAPTION_API_KEY`. */
export function sampleOf(language: SampleLanguage, url: string, request: ResponseRequest): string {
  const { body, hasToolKey } = withoutSecrets(request);
  if (language === 'curl') return curlOf(url, body);
  return language === 'Python' ? pythonOf(url, body) : typescriptOf(url, body, hasToolKey);
}

function curlOf(url: string, body: Json): string {
  const json = code(body, JSON_TEXT, '  ')
    // Within single quotes a shell reads nothing but their end.
    .replaceAll("'", `'\\''`)
    .replaceAll(PLACE, `'"$${TOOL_KEY}"'`);
  return [
    `curl --no-buffer '${`${url}/api/v1/responses`.replaceAll("'", '%27')}' \\`,
    `  --header "Authorization: Bearer $${KEY}" \\`,
    `  --header 'Content-Type: application/json' \\`,
    `  --data '${json}'`,
  ].join('\n');
}

const argumentsOf = (body: Json): [string, Json][] => Object.entries(body as Readonly<Record<string, Json>>);

function pythonOf(url: string, body: Json): string {
  return [
    'import os',
    'from openai import OpenAI',
    '',
    `client = OpenAI(base_url=${quoted(`${url}/api/v1`)}, api_key=os.environ["${KEY}"])`,
    'with client.responses.create(',
    ...argumentsOf(body).map(([name, value]) => `    ${name}=${code(value, PYTHON, '    ')},`),
    ') as events:',
    '    for event in events:',
    '        if event.type == "response.output_text.delta":',
    '            print(event.delta, end="", flush=True)',
  ].join('\n');
}

function typescriptOf(url: string, body: Json, hasToolKey: boolean): string {
  return [
    'import OpenAI from "openai";',
    '',
    `const client = new OpenAI({ baseURL: ${quoted(`${url}/api/v1`)}, apiKey: process.env.${KEY} });`,
    ...(hasToolKey ? [`// ${TOOL_KEY} is the whole Authorization header of your tool server.`] : []),
    'const events = await client.responses.create({',
    ...argumentsOf(body).map(([name, value]) => `  ${name}: ${code(value, TYPESCRIPT, '  ')},`),
    '});',
    'for await (const event of events) {',
    '  if (event.type === "response.output_text.delta") process.stdout.write(event.delta);',
    '}',
  ].join('\n');
}
