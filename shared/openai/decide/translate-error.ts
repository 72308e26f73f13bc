import { ServiceError } from '#shared/platform/errors/service-error.ts';

/** How an endpoint names what the request that it is carried out by has by another name. */
export interface Wording {
  /** The path of a field in the words of the endpoint. */
  readonly renamed: (path: string) => string;
  /** Words of messages, and what stands for them: nothing for advice that the endpoint does not take. */
  readonly words: readonly (readonly [said: string, meant: string])[];
}

/** A path at the beginning of a message. */
const LEADING_PATH = /^([\w.[\]]{1,200}): /;

/** A message of a failure in the words of an endpoint. */
export function translateMessage(
  { renamed, words }: Wording,
  message: string,
  paths: readonly string[] = [],
): string {
  const led = message.replace(LEADING_PATH, (_, path: string) => `${renamed(path)}: `);
  // A message of several details has the path of each.
  const named = paths.reduce(
    (text, path) => text.replaceAll(`; ${path}: `, () => `; ${renamed(path)}: `),
    led,
  );
  return words.reduce((text, [said, meant]) => text.replaceAll(said, () => meant), named);
}

/** An error as one of the endpoint that was asked: its message and its details name fields that this one has. */
export function translateError(wording: Wording, error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { code, message, details, retryAfterSeconds } = error;
  const paths = details.map(({ path }) => path);
  return new ServiceError(code, translateMessage(wording, message, paths), {
    details: details.map((detail) => ({
      ...detail,
      path: wording.renamed(detail.path),
      message: translateMessage(wording, detail.message),
    })),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    cause: error,
  });
}
