import type * as z from 'zod';
import type { ErrorCode } from '../errors/catalog.ts';
import type { Scope } from '../schema/scope.ts';
import type { Uses } from './uses.ts';

export type HttpMethod = 'GET' | 'POST' | 'DELETE';

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

type ObjectSchema = z.ZodType<Record<string, unknown>>;

/**
 * One endpoint, declared once. Its Lambda, route, IAM grants, OpenAPI operation and the tests of authorization and
 * tenancy are derived from this; `functions/api/<id with slashes>.ts` holds its handler.
 */
export interface EndpointContract<
  Id extends string = string,
  Path extends string = string,
  Params extends ObjectSchema | undefined = ObjectSchema | undefined,
  Query extends ObjectSchema | undefined = ObjectSchema | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Response extends z.ZodType | undefined = z.ZodType | undefined,
> {
  readonly id: Id;
  readonly method: HttpMethod;
  readonly path: Path;
  readonly summary: string;
  readonly description?: string;
  /** What a call does to data, as the document says it. */
  readonly data: string;
  /** What a call costs, as the document says it. */
  readonly credits: string;
  readonly tag: 'Datasets' | 'Uploads' | 'Adaptation' | 'Growth' | 'Training' | 'Responses' | 'Service';
  /** The scope that the key must carry; null for a route that needs no key. */
  readonly scope: Scope | null;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Status of success. 307 carries a `Location` and no body. */
  readonly status: 200 | 202 | 307;
  /** Schema of the JSON answer; undefined where the answer is not JSON. */
  readonly response: Response;
  /** Schema of a 202 beside a `status` of 200: work that goes on, to be looked after at `Location`. */
  readonly accepted?: z.ZodType;
  /** Whether the `Idempotency-Key` header is read, and echoed by the answer. */
  readonly readsIdempotencyKey?: true;
  /** Whether the `X-Organization-Id` header is read: a caller of another organization than the one named is refused. */
  readonly readsOrganization?: true;
  /** Whether the answer is sent as it comes: as server-sent events where the body's `stream` is true. */
  readonly streams?: true;
  /** Media type of an answer that is not JSON. */
  readonly contentType?: string;
  /** Codes beyond those that every endpoint can answer with. */
  readonly errors: readonly ErrorCode[];
  readonly uses: Uses;
  /** Set where the route is kept for older clients: the route that takes its place. */
  readonly successor?: string;
}

export const READS_ONLY = 'Reads only; changes nothing.';
export const FREE = 'Costs no credits.';

/** Codes that any endpoint can answer with, so no contract lists them. */
export const commonErrors = [
  'invalid_request',
  'rate_limited',
  'internal_error',
  'service_unavailable',
] as const satisfies readonly ErrorCode[];

const authorizationErrors = ['unauthorized', 'scope_missing'] as const satisfies readonly ErrorCode[];
const organizationErrors = ['organization_forbidden'] as const satisfies readonly ErrorCode[];
const bodyErrors = [
  'malformed_json',
  'payload_too_large',
  'format_unsupported',
] as const satisfies readonly ErrorCode[];

/** Every code that `contract` can answer with. */
export function errorsOf(contract: EndpointContract): readonly ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      ...commonErrors,
      ...(contract.scope === null ? [] : authorizationErrors),
      ...(contract.readsOrganization === true ? organizationErrors : []),
      ...(contract.body === undefined ? [] : bodyErrors),
      ...contract.errors,
    ]),
  ];
}

/** Declares an endpoint; the compiler checks that `params` names exactly the placeholders of `path`. */
export function endpoint<
  const Id extends string,
  const Path extends string,
  Params extends z.ZodType<Record<Names<Path>, string>> | undefined = undefined,
  Query extends ObjectSchema | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Response extends z.ZodType | undefined = undefined,
>(
  contract: Omit<
    EndpointContract<Id, Path, Params, Query, Body, Response>,
    'params' | 'query' | 'body' | 'response'
  > & {
    readonly query?: Query;
    readonly body?: Body;
    readonly response?: Response;
  } & ([Names<Path>] extends [never] ? { readonly params?: undefined } : { readonly params: Params }),
): EndpointContract<Id, Path, Params, Query, Body, Response> {
  return {
    ...contract,
    params: contract.params as Params,
    query: contract.query as Query,
    body: contract.body as Body,
    response: contract.response as Response,
  };
}
