import * as z from 'zod';
import type { EndpointContract } from '#shared/platform/contracts/endpoint.ts';

export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** The request of a sample. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** Fields of a form, whose `file` names a file of the working directory; null for JSON. */
  readonly form: Readonly<Record<string, string>> | null;
  readonly keyed: boolean;
  /** Whether the response is JSON. */
  readonly json: boolean;
}

/** The path with the examples of its parameters. */
export function examplePath({ path, params }: Pick<EndpointContract, 'path' | 'params'>): string {
  const shape = (params as z.ZodObject | undefined)?.shape ?? {};
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const example = z.globalRegistry.get(shape[name] as z.ZodType)?.example;
    if (typeof example !== 'string') throw new Error(`The parameter ${name} of ${path} has no example.`);
    return example;
  });
}

const indent = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

function curl({ method, path, body, form, keyed, json }: Sent): string {
  const parts = [
    `curl${json ? '' : ' --location --remote-name'} --request ${method} "$ADAPTION_BASE_URL${path}"`,
    ...(keyed ? ['--header "Authorization: Bearer $ADAPTION_API_KEY"'] : []),
    ...Object.entries(form ?? {}).map(
      ([name, value]) => `--form ${name}=${name === 'file' ? '@' : ''}${value}`,
    ),
    ...(body === undefined
      ? []
      : [
          '--header "Content-Type: application/json"',
          `--data '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`,
        ]),
  ];
  return parts.join(' \\\n  ');
}

/** JSON as a Python literal. */
function toPython(value: unknown): string {
  return JSON.stringify(value, null, 4)
    .replaceAll(/(?<=[:[,]\s*)true\b/g, 'True')
    .replaceAll(/(?<=[:[,]\s*)false\b/g, 'False')
    .replaceAll(/(?<=[:[,]\s*)null\b/g, 'None');
}

function python({ method, path, body, form, keyed, json }: Sent): string {
  const { file, ...fields } = form ?? {};
  return [
    'import os',
    'import httpx',
    '',
    `response = httpx.${method.toLowerCase()}(`,
    `    os.environ["ADAPTION_BASE_URL"] + "${path}",`,
    ...(keyed ? ['    headers={"Authorization": f"Bearer {os.environ[\'ADAPTION_API_KEY\']}"},'] : []),
    ...(form === null
      ? []
      : [`    files={"file": open("${file}", "rb")},`, `    data=${indent(toPython(fields), '    ')},`]),
    ...(body === undefined ? [] : [`    json=${indent(toPython(body), '    ')},`]),
    '    timeout=60,',
    ...(json ? [] : ['    follow_redirects=True,']),
    ')',
    'response.raise_for_status()',
    json ? 'print(response.json())' : 'print(len(response.content))',
  ].join('\n');
}

function typescript({ method, path, body, form, keyed, json }: Sent): string {
  const { file, ...fields } = form ?? {};
  const formLines =
    form === null
      ? []
      : [
          "import { openAsBlob } from 'node:fs';",
          '',
          'const form = new FormData();',
          `form.set('file', await openAsBlob('${file}'), '${file}');`,
          ...Object.entries(fields).map(([name, value]) => `form.set('${name}', '${value}');`),
        ];
  const headers = [
    ...(keyed ? [`    Authorization: \`Bearer \${process.env.ADAPTION_API_KEY}\`,`] : []),
    ...(body === undefined ? [] : ["    'Content-Type': 'application/json',"]),
  ];
  return [
    ...formLines,
    `const response = await fetch(\`\${process.env.ADAPTION_BASE_URL}${path}\`, {`,
    `  method: '${method}',`,
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(form === null ? [] : ['  body: form,']),
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${indent(JSON.stringify(body, null, 2), '  ')}),`]),
    '});',
    'if (!response.ok) throw new Error(await response.text());',
    json ? 'console.log(await response.json());' : 'console.log((await response.arrayBuffer()).byteLength);',
  ].join('\n');
}

/**
 * Generates the request of an endpoint for a shell and two languages; environment variables have the service's URL and
 * the key.
 */
export function codeSamples(contract: EndpointContract, body: unknown): CodeSample[] {
  const sent: Sent = {
    method: contract.method,
    path: examplePath(contract),
    body: contract.form === undefined ? body : undefined,
    form: contract.form === undefined ? null : (body as Record<string, string>),
    keyed: contract.scope !== null,
    json: contract.response !== undefined,
  };
  return [
    { lang: 'shell', label: 'curl', source: curl(sent) },
    { lang: 'python', label: 'Python', source: python(sent) },
    { lang: 'typescript', label: 'TypeScript', source: typescript(sent) },
  ];
}
