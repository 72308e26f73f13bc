const STORED = 'tunesmith.key';
/** Before the id of a dataset: verdicts on its rows that the service has not recorded yet. */
const UNSENT = 'tunesmith.verdicts.';
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Address of the service: the page is at `<service>/console`. */
export function serviceUrl(): string {
  return new URL(location.pathname.replace(/\/console\/?$/, ''), location.origin).href.replace(/\/$/, '');
}

/**
 * Takes the API key out of the URL's fragment (`#key=…`, as `npm run local` prints it) and keeps it for this tab. The
 * fragment is replaced, so that the key stays in neither the address bar nor the history. Elsewhere than on this machine
 * the key is dropped: a link of somebody else's would have the reader work, and upload, for that person's team.
 */
export function takeKeyFromUrl(): void {
  if (!location.hash.startsWith('#key=')) return;
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key !== null && key !== '' && LOOPBACK.has(location.hostname)) keepKey(key);
  history.replaceState(null, '', `${location.pathname}#/`);
}

/** The API key of this tab, or null. */
export function storedKey(): string | null {
  return sessionStorage.getItem(STORED);
}

/** Keeps the key until the tab closes. */
export function keepKey(key: string): void {
  sessionStorage.setItem(STORED, key);
}

export function forgetKey(): void {
  sessionStorage.removeItem(STORED);
}

/**
 * Keeps unsent verdicts on the rows of a dataset for this tab, or forgets them.
 * @returns false where the tab has no room for them
 */
export function keepUnsent(datasetId: string, text: string | null): boolean {
  try {
    if (text === null) sessionStorage.removeItem(`${UNSENT}${datasetId}`);
    else sessionStorage.setItem(`${UNSENT}${datasetId}`, text);
    return true;
  } catch {
    return false;
  }
}

/** The unsent verdicts that an earlier page of this tab has kept, or null. */
export function keptUnsent(datasetId: string): string | null {
  return sessionStorage.getItem(`${UNSENT}${datasetId}`);
}
