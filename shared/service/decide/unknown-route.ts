import { nearestTo } from '#shared/platform/errors/nearest.ts';

/** One route: a method and a path in which each `{…}` is one segment. */
export interface Route {
  readonly method: string;
  readonly path: string;
}

/** The error details for a request without a route. */
export interface UnknownRoute {
  /** The methods of its path; null if no route has its path. */
  readonly allow: readonly string[] | null;
  /** A suggestion. */
  readonly hint: string | null;
}

const API = '/api/v1';

/** Paths of other services, and their equivalents here. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [
    /\/completions$|\/messages$|\/generate$|\/api\/chat$/,
    `Use POST ${API}/chat/completions, or POST ${API}/responses, which takes the messages as \`input\`.`,
  ],
  [/\/embeddings$/, 'This service offers no embeddings.'],
  [
    /\/moderations$/,
    'This service offers no moderation. An adaptation scores the safety of rows: `brand_controls.safety_categories`.',
  ],
  [
    /\/batches(\/|$)/,
    'This service offers no batches. Rows of a dataset are worked on together by an adaptation.',
  ],
  [
    /\/(?:assistants|threads)(\/|$)/,
    `Use POST ${API}/responses, with \`previous_response_id\` for conversations.`,
  ],
  [/\/vector_stores(\/|$)/, `Datasets are searched: POST ${API}/responses with the tool \`file_search\`.`],
  [/\/mcp$/, 'The MCP server is at /mcp, beside /api.'],
  [
    /\/fine[_-]tuning(\/|$)|\/fine-tunes$/,
    `Use POST ${API}/fine_tuning/jobs, or POST ${API}/autoscientist, to train a model.`,
  ],
  [/\/files$/, `To upload a file, ask for its URL by POST ${API}/datasets.`],
];

/** Paths at which callers try to upload a file. */
const UPLOADING = /\/datasets\/(?:upload|uploads|file|files|import)$/;
const UPLOAD = `To upload a file: POST ${API}/datasets/upload/initiate, PUT the file to its URL, then complete the upload.`;

const segmentsOf = (path: string): string[] => path.replace(/^\//, '').split('/');

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** Whether a path matches a route; a parameter is one non-empty segment. */
function isOf(template: string, path: string): boolean {
  const [expected, sent] = [segmentsOf(template), segmentsOf(path)];
  return (
    expected.length === sent.length &&
    expected.every((segment, index) => (isParameter(segment) ? sent[index] !== '' : segment === sent[index]))
  );
}

/**
 * The template that API Gateway selects for a path: a fixed segment takes precedence over a parameter, from the left.
 */
function mostSpecific(templates: readonly string[]): string | null {
  const rank = (template: string): string =>
    segmentsOf(template)
      .map((segment) => (isParameter(segment) ? '1' : '0'))
      .join('');
  return [...templates].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))[0] ?? null;
}

/** Replaces the parameters of a template with the sent segments, so that only the fixed parts are compared. */
function filled(template: string, path: string): string {
  const sent = segmentsOf(path);
  return segmentsOf(template)
    .map((segment, index) => (isParameter(segment) ? (sent[index] ?? segment) : segment))
    .join('/');
}

/** The route that matches the path with another prefix or without an extra slash. */
function withPrefix(path: string, routes: readonly Route[]): string | null {
  const bare = path.replace(/(?<!\/)\/+$/, '').replace(/^\/(api\/)?(v[0-9]+\/)?/, '');
  const meant = `${API}/${bare}`;
  return routes.find((route) => isOf(route.path, meant))?.path ?? null;
}

/** The route with the most similar path, among those with the same number of segments. */
function nearestRoute(path: string, routes: readonly Route[]): string | null {
  const length = segmentsOf(path).length;
  const templates = new Map(
    routes
      .filter((route) => segmentsOf(route.path).length === length)
      .map((route) => [filled(route.path, path), route.path]),
  );
  const fixed = (text: string): string => text.replaceAll(/[^/]+/g, (segment) => segment.slice(0, 40));
  const [nearest] = nearestTo(fixed(path).slice(1), [...templates.keys()], 1);
  return nearest === undefined ? null : (templates.get(nearest) ?? null);
}

/** Explains a request without a route. */
export function explainUnknownRoute(path: string, routes: readonly Route[]): UnknownRoute {
  const template = mostSpecific(routes.map((route) => route.path).filter((each) => isOf(each, path)));
  if (template !== null) {
    const allow = routes.filter((route) => route.path === template).map(({ method }) => method);
    return { allow: [...new Set(allow)].sort(), hint: UPLOADING.test(path) ? UPLOAD : null };
  }
  if (path.startsWith(`${API}${API}/`)) {
    return { allow: null, hint: `The path holds ${API} twice: leave it out of the base URL.` };
  }
  const meant = withPrefix(path, routes);
  if (meant !== null) return { allow: null, hint: `Did you mean ${meant}?` };
  const elsewhere = ELSEWHERE.find(([pattern]) => pattern.test(path));
  if (elsewhere !== undefined) return { allow: null, hint: elsewhere[1] };
  const near = nearestRoute(path, routes);
  return { allow: null, hint: near === null ? null : `Did you mean ${near}?` };
}
