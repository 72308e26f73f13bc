// Writes src/schema.ts, the types of every path and schema of openapi.json. `--check` fails if it is not up to date.
import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const source = new URL('../../openapi.json', import.meta.url);
const target = new URL('src/schema.ts', import.meta.url);

/** Any JSON is declared in terms of itself, which TypeScript refuses in a property. */
const recursive = '#/components/schemas/JsonValue';

const nodes = await openapiTS(JSON.parse(await readFile(source, 'utf8')), {
  transform: (_, { path }) =>
    path === recursive ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.UnknownKeyword) : undefined,
});
const text = `// Generated from openapi.json by "npm run openapi". Do not edit.\n\n${astToString(nodes)}`;

const isCurrent = (await readFile(target, 'utf8').catch(() => '')) === text;
if (!isCurrent && !process.argv.includes('--check')) {
  await writeFile(target, text);
  console.log('wrote clients/typescript/src/schema.ts');
} else if (!isCurrent) {
  throw new Error(
    'clients/typescript/src/schema.ts does not match openapi.json: run "npm run openapi" and commit it.',
  );
}
