import type { APIGatewayProxyEvent } from 'aws-lambda';
import { CORS_EXPOSED_HEADERS, CORS_SECONDS } from '../contracts/cors.ts';
import { env } from './env.ts';

type CorsRequest = Pick<APIGatewayProxyEvent, 'headers'>;

const headerOf = ({ headers }: CorsRequest, name: string): string | undefined =>
  Object.entries(headers ?? {}).find(([each]) => each.toLowerCase() === name)?.[1];

/** The CORS headers of a response; empty if the origin is not allowed. */
export function corsHeaders(event: CorsRequest): Record<string, string> {
  const origins = env.corsOrigins();
  if (origins.length === 0) return {};
  const origin = headerOf(event, 'origin');
  // Caches must vary by origin, also for requests without an allowed one.
  if (origin === undefined || !origins.includes(origin)) return { vary: 'origin' };
  return {
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': CORS_EXPOSED_HEADERS,
  };
}

/** The headers of a preflight response; null if the request is not a preflight, or the origin is not allowed. */
export function preflightHeaders(
  event: CorsRequest & Pick<APIGatewayProxyEvent, 'httpMethod'>,
): Record<string, string> | null {
  const method = headerOf(event, 'access-control-request-method');
  const allowed = corsHeaders(event);
  if (event.httpMethod !== 'OPTIONS' || method === undefined) return null;
  if (allowed['access-control-allow-origin'] === undefined) return null;
  return {
    ...allowed,
    'access-control-allow-methods': 'GET, POST, PUT, DELETE',
    'access-control-allow-headers': headerOf(event, 'access-control-request-headers') ?? '',
    'access-control-max-age': String(CORS_SECONDS),
  };
}
