import { readFile } from 'node:fs/promises';
import { parser } from '@lezer/javascript';
import type { Plugin } from 'esbuild';

const typescript = parser.configure({ dialect: 'ts', strict: true });

/** Methods of zod that only name or describe a schema, and give it examples. */
const DESCRIBING: readonly string[] = ['describe', 'meta'];

/**
 * The source of schemas without the calls that describe them: `z.string().describe('An id.')` becomes `z.string()`.
 * @throws {SyntaxError} for what the grammar does not know, as a type guard on `typeof`
 */
export function removeDescriptions(source: string): string {
  const calls: { readonly from: number; readonly to: number }[] = [];
  typescript.parse(source).iterate({
    enter({ name, node, to }) {
      const callee = name === 'CallExpression' ? node.firstChild : null;
      const [schema, method] = [callee?.firstChild, callee?.lastChild];
      if (callee?.name !== 'MemberExpression' || !schema || !method) return;
      if (DESCRIBING.includes(source.slice(method.from, method.to))) calls.push({ from: schema.to, to });
    },
  });
  let rest = '';
  let end = 0;
  for (const { from, to } of calls.sort((a, b) => a.from - b.from)) {
    // A call in the arguments of another is gone with it.
    if (from < end) continue;
    rest += source.slice(end, from);
    end = to;
  }
  return rest + source.slice(end);
}

const SCHEMAS = /[\\/]shared[\\/]\w+[\\/](?:schema[\\/][^\\/]+|contracts(?:[\\/][^\\/]+)?)\.ts$/;

/** What was read of each file: the functions are bundled in several calls. */
const read = new Map<string, Promise<string>>();

/** Spares functions the names, descriptions and examples of schemas: they are for the documents made of the source. */
export const withoutDescriptions: Plugin = {
  name: 'without-descriptions',
  setup({ onLoad }) {
    onLoad({ filter: SCHEMAS }, async ({ path }) => {
      const contents = read.get(path) ?? readFile(path, 'utf8').then(removeDescriptions);
      read.set(path, contents);
      try {
        return { contents: await contents, loader: 'ts' };
      } catch (error) {
        return { errors: [{ text: `Not read: ${(error as Error).message}`, location: { file: path } }] };
      }
    });
  },
};
