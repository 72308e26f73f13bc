import { nearestTo } from '../../errors/nearest.ts';

/** One route: a method and a path whose `{…}` stand for one segment each. */
export interface Route {
  readonly method: string;
  readonly path: string;
}

/** What a request that no route takes is told. */
export interface UnknownRoute {
  /** The methods that its path takes; null where no route has its path. */
  readonly allow: readonly string[] | null;
  /** What may be meant. */
  readonly hint: string | null;
}

const API = '/api/v1';

/** Paths of other services, and what does their work here. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [
    /\/(chat\/)?completions$|\/messages$|\/generate$|\/api\/chat$/,
    `Use POST ${API}/responses: it takes the messages as \`input\`, and a system message as \`instructions\`.`,
  ],
  [/\/embeddings$/, 'This service offers no embeddings.'],
  [/\/fine[_-]tuning(\/|$)|\/fine-tunes$/, `Use POST ${API}/autoscientist to train a model.`],
  [/\/files$/, `To upload a file, ask for its URL by POST ${API}/datasets.`],
];

/** Where callers try to send a file. */
const UPLOADING = /\/datasets\/(?:upload|uploads|file|files|import)$/;
const UPLOAD = `To upload a file: POST ${API}/datasets/upload/initiate, PUT the file to its URL, then complete the upload.`;

const segmentsOf = (path: string): string[] => path.replace(/^\//, '').split('/');

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** Whether a path is of a route; a parameter stands for one segment that is not empty. */
function isOf(template: string, path: string): boolean {
  const [expected, sent] = [segmentsOf(template), segmentsOf(path)];
  return (
    expected.length === sent.length &&
    expected.every((segment, index) => (isParameter(segment) ? sent[index] !== '' : segment === sent[index]))
  );
}

/** The template that API Gateway resolves a path to: a fixed segment goes before a parameter, from the left. */
function mostSpecific(templates: readonly string[]): string | null {
  const rank = (template: string): string =>
    segmentsOf(template)
      .map((segment) => (isParameter(segment) ? '1' : '0'))
      .join('');
  return [...templates].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))[0] ?? null;
}

/** Writes the parameters of a template as the segments that were sent, so that only what is fixed is compared. */
function filled(template: string, path: string): string {
  const sent = segmentsOf(path);
  return segmentsOf(template)
    .map((segment, index) => (isParameter(segment) ? (sent[index] ?? segment) : segment))
    .join('/');
}

/** The route whose path is the one that was sent with another beginning or a slash too many. */
function withPrefix(path: string, routes: readonly Route[]): string | null {
  const bare = path.replace(/\/+$/, '').replace(/^\/(api\/)?(v[0-9]+\/)?/, '');
  const meant = `${API}/${bare}`;
  return routes.find((route) => isOf(route.path, meant))?.path ?? null;
}

/** The route whose path is nearest to the one that was sent, of those with as many segments. */
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

/** Decides what a request is told that no route takes. */
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
