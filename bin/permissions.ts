import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { functionIds } from '#infra/names.ts';
import { type Needs, usesOf } from '#shared/platform/runtime/need.ts';
import type { Uses } from '#shared/platform/runtime/uses.ts';

/**
 * `npm run permissions`: writes what each function may access into `permissions.json`, from the needs of its handler.
 * The stacks make the IAM roles and the environments of functions from that file. `--check` fails if it is not up to
 * date.
 */
const FILE = new URL('../permissions.json', import.meta.url);

/** The needs of a function's handler; its import creates none of them. */
async function needsOf(functionId: string): Promise<Needs> {
  const path = `functions/${functionId}.ts`;
  if (!existsSync(new URL(`../${path}`, import.meta.url))) {
    throw new Error(`${path} does not exist: write the handler of the declared function first.`);
  }
  const { handler } = (await import(/* @vite-ignore */ `../${path}`)) as { handler: { needs?: Needs } };
  if (handler.needs === undefined) throw new Error(`The handler of ${path} does not say what it needs.`);
  return handler.needs;
}

/** The single grants that `uses` consists of. */
function grantsOf({ bucket = {}, ...others }: Uses): object[] {
  return [
    ...Object.entries(bucket).flatMap(([way, prefixes]) =>
      prefixes.map((prefix) => ({ bucket: { [way]: [prefix] } })),
    ),
    ...Object.entries(others).flatMap(([name, value]: [string, unknown]): object[] =>
      Array.isArray(value) ? value.map((each) => ({ [name]: [each] })) : [{ [name]: value }],
    ),
  ];
}

/** The committed file, with a line for each grant. */
export async function renderPermissions(): Promise<string> {
  const functions = await Promise.all(
    [...functionIds].sort().map(async (id) => {
      const lines = grantsOf(usesOf(await needsOf(id)))
        .map((grant) => `    ${JSON.stringify(grant)}`)
        .sort();
      return `  ${JSON.stringify(id)}: [${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n  `}]`;
    }),
  );
  return `{\n${functions.join(',\n')}\n}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = await renderPermissions();
  const isCurrent = (await readFile(FILE, 'utf8').catch(() => '')) === text;
  if (!isCurrent && !process.argv.includes('--check')) {
    await writeFile(FILE, text);
    // A handler that was imported silences the console.
    process.stdout.write('wrote permissions.json: look at what functions gain or lose\n');
  } else if (!isCurrent) {
    throw new Error(
      'permissions.json does not match the needs of the handlers: run "npm run permissions", look at what functions gain or lose, and commit it.',
    );
  }
}
