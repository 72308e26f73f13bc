import type * as z from 'zod';
import type { ErrorCode } from '../errors/catalog.ts';
import type { FreeUse } from '../schema/plan.ts';
import type { Scope } from '../schema/scope.ts';

export type HttpMethod = 'GET' | 'POST' | 'DELETE';

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

type ObjectSchema = z.ZodType<Record<string, unknown>>;

/**
 * One endpoint, declared once. Its Lambda, route, OpenAPI operation and the tests of authorization and tenancy are
 * derived from this; `functions/api/<id with slashes>.ts` holds its handler, whose needs its IAM grants are derived from.
 */
export interface EndpointContract<
  Id extends string = string,
  Path extends string = string,
  Params extends ObjectSchema | undefined = ObjectSchema | undefined,
  Query extends ObjectSchema | undefined = ObjectSchema | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  Response extends z.ZodType | undefined = z.ZodType | undefined,
  Form extends ObjectSchema | undefined = ObjectSchema | undefined,
> {
  readonly id: Id;
  readonly method: HttpMethod;
  readonly path: Path;
  readonly summary: string;
  readonly description?: string;
  /** The effect of a call on data, for the document. */
  readonly data: string;
  /** The cost of a call, for the document. */
  readonly credits: string;
  readonly tag:
    | 'Datasets'
    | 'Uploads'
    | 'Adaptation'
    | 'Review'
    | 'Growth'
    | 'Training'
    | 'Responses'
    | 'OpenAI'
    | 'Account'
    | 'Service';
  /** The scope that the key must carry; `any` for a route that takes every valid key, null for one that needs none. */
  readonly scope: Scope | 'any' | null;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The fields of a body that is a form (`multipart/form-data`), for an endpoint that takes a file and no JSON. */
  readonly form: Form;
  /** Success status. 307 has a `Location` header and no body. */
  readonly status: 200 | 202 | 307;
  /** Schema of the JSON response; undefined if the response is not JSON. */
  readonly response: Response;
  /** Schema of a 202 in addition to a `status` of 200: the work continues; poll `Location`. */
  readonly accepted?: z.ZodType;
  /** Whether the `Idempotency-Key` header is read, and echoed in the response. */
  readonly readsIdempotencyKey?: true;
  /** Whether the `X-Organization-Id` header is read: a caller of another organization is rejected. */
  readonly readsOrganization?: true;
  /**
   * Whether the response can be streamed, as server-sent events: if the body's `stream` is true, or if the `Accept` header
   * asks for them (with `Last-Event-ID` to continue); `protocol` if the protocol that the endpoint speaks decides.
   */
  readonly streams?: 'body' | 'accept' | 'protocol';
  /** Names, in lower case, of further request headers that the handler reads. */
  readonly readsHeaders?: readonly string[];
  /** The plan's limit on requests that cost no credits and take long: on all, or on those with one of the parameters `given`. */
  readonly counts?: { readonly use: FreeUse; readonly given?: readonly string[] };
  /** Memory of the function in MB, if it needs more than others. */
  readonly memoryMb?: number;
  /** Media type of a response that is not JSON. */
  readonly contentType?: string;
  /** Error codes besides the common ones. */
  readonly errors: readonly ErrorCode[];
  /** For a route that is kept for older clients: the route that replaces it. */
  readonly successor?: string;
}

export const READS_ONLY = 'Reads only; changes nothing.';
export const FREE = 'Costs no credits.';

/** Error codes of all endpoints, which contracts do not list. */
export const commonErrors = [
  'invalid_request',
  'rate_limited',
  'internal_error',
  'service_unavailable',
] as const satisfies readonly ErrorCode[];

const organizationErrors = ['organization_forbidden'] as const satisfies readonly ErrorCode[];
const formErrors = ['payload_too_large', 'format_unsupported'] as const satisfies readonly ErrorCode[];
const bodyErrors = ['malformed_json', ...formErrors] as const satisfies readonly ErrorCode[];

function authorizationErrorsOf({ scope }: Pick<EndpointContract, 'scope'>): readonly ErrorCode[] {
  if (scope === null) return [];
  return scope === 'any' ? ['unauthorized'] : ['unauthorized', 'scope_missing'];
}

/** Every error code of `contract`. */
export function errorsOf(contract: EndpointContract): readonly ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      ...commonErrors,
      ...authorizationErrorsOf(contract),
      ...(contract.readsOrganization === true ? organizationErrors : []),
      ...(contract.body === undefined ? [] : bodyErrors),
      ...(contract.form === undefined ? [] : formErrors),
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
  Form extends ObjectSchema | undefined = undefined,
>(
  contract: Omit<
    EndpointContract<Id, Path, Params, Query, Body, Response, Form>,
    'params' | 'query' | 'body' | 'response' | 'form'
  > & {
    readonly query?: Query;
    readonly body?: Body;
    readonly response?: Response;
    readonly form?: Form;
  } & ([Names<Path>] extends [never] ? { readonly params?: undefined } : { readonly params: Params }),
): EndpointContract<Id, Path, Params, Query, Body, Response, Form> {
  return {
    ...contract,
    params: contract.params as Params,
    query: contract.query as Query,
    body: contract.body as Body,
    response: contract.response as Response,
    form: contract.form as Form,
  };
}
