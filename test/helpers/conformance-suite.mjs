// The conformance suite imports `globSync` of `node:fs`, which Node.js 20 does not have, for a command that no test uses.
import { register } from 'node:module';

const hooks = `
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith('@modelcontextprotocol/conformance/dist/index.js')) return loaded;
  return { ...loaded, source: String(loaded.source).replace(/globSync as \\w+,/, '') };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
