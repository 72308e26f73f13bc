/** What a restoration says of a target that does not keep its data; null of one that does. */
export const throwAwayWarning = (stage: string, isProtected: boolean | undefined): string | null =>
  isProtected === true
    ? null
    : `Warning: the stage "${stage}" is deleted with its data, and keeps logs for two weeks. Before callers use it: RETAIN=true npm run deploy -- -c stage=${stage}`;
