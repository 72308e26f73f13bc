import OpenAI from 'openai';
import { type Caller, callerToContext } from '#shared/platform/access/caller.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { context } from './call.ts';
import { loadHandler } from './handlers.ts';
import type { World } from './world.ts';

const BASE = 'https://api.example/api/v1';

/** The unmodified `openai` package of npm, whose requests the handlers answer. */
export function openaiClient(world: World, caller: Caller): OpenAI {
  return new OpenAI({
    apiKey: 'key',
    baseURL: BASE,
    maxRetries: 0,
    fetch: async (input, init) => {
      const url = new URL(String(input));
      const found = contracts.flatMap((contract) => {
        const names = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
        const pattern = new RegExp(`^${contract.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`);
        const match =
          contract.method === (init?.method ?? 'GET').toUpperCase() ? pattern.exec(url.pathname) : null;
        if (match === null) return [];
        return [{ contract, params: Object.fromEntries(names.map((name, n) => [name, match[n + 1]])) }];
      })[0];
      if (found === undefined) return new Response('{"error":{"message":"no route"}}', { status: 404 });
      const handler = await loadHandler(found.contract);
      const query: Record<string, string[]> = {};
      for (const [name, value] of url.searchParams) query[name] = [...(query[name] ?? []), value];
      const { statusCode, body, headers } = await handler.with({}, world.use)(
        {
          httpMethod: found.contract.method,
          path: url.pathname,
          headers: { 'content-type': 'application/json' },
          body: typeof init?.body === 'string' ? init.body : null,
          isBase64Encoded: false,
          pathParameters: found.params,
          multiValueQueryStringParameters: query,
          requestContext: { authorizer: callerToContext(caller) },
        } as never,
        context(),
      );
      return new Response(body, { status: statusCode, headers: headers as Record<string, string> });
    },
  });
}

/** Operations of a group of the package, by the methods of its class. */
export const operationsOf = (resource: object): string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter((name) => name !== 'constructor');
