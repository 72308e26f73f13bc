import { readFile } from 'node:fs/promises';
import { parser } from '@lezer/javascript';
import type { Plugin } from 'esbuild';

const typescript = parser.configure({ dialect: 'ts', strict: true });

/** Methods of zod that only name or describe a schema, and give it examples. */
const DESCRIBING: readonly string[] = ['describe', 'meta'];

/** What runs later than its module, or not for its value. */
const RUN_OTHERWISE = /^(?:ArrowFunction|Block|ClassBody|ExpressionStatement)$/;

/** The mark of a call that is left out where its value is not used. */
const PURE = '/* @__PURE__ */ ';

/**
 * The source of schemas and contracts without the calls that describe them: `z.string().describe('An id.')` becomes
 * `z.string()`. The other calls that make them are marked as pure.
 * @throws {SyntaxError} for what the grammar does not know, as a type guard on `typeof`
 */
export function removeDescriptions(source: string): string {
  const calls: { readonly from: number; readonly to: number }[] = [];
  const making = new Set<number>();
  let runOtherwise = 0;
  typescript.parse(source).iterate({
    enter({ name, node, from, to }) {
      if (RUN_OTHERWISE.test(name)) runOtherwise += 1;
      if (name !== 'CallExpression') return;
      if (runOtherwise === 0) making.add(from);
      const callee = node.firstChild;
      const [schema, method] = [callee?.firstChild, callee?.lastChild];
      if (callee?.name !== 'MemberExpression' || !schema || !method) return;
      if (DESCRIBING.includes(source.slice(method.from, method.to))) calls.push({ from: schema.to, to });
    },
    leave({ name }) {
      if (RUN_OTHERWISE.test(name)) runOtherwise -= 1;
    },
  });
  let rest = '';
  let end = 0;
  const marks = [...making].map((at) => ({ from: at, to: at }));
  for (const { from, to } of [...calls, ...marks].sort((a, b) => a.from - b.from || b.to - a.to)) {
    // A call in the arguments of another is gone with it.
    if (from < end) continue;
    rest += source.slice(end, from) + (from === to ? PURE : '');
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
