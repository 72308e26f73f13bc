import { useSyncExternalStore } from 'react';

/**
 * Where the reader is. It is in the URL's fragment (`#/datasets/ID/rows?outcome=kept`), which no browser sends to a server: a
 * search for row text reaches no log, and the service needs one page only.
 */
export interface Route {
  /** The parts of the path, decoded: `['datasets', 'ID', 'rows']`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

const subscribe = (onChange: () => void): (() => void) => {
  addEventListener('hashchange', onChange);
  return () => removeEventListener('hashchange', onChange);
};

/** Decodes a part of a path; one that is not valid percent-encoding stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function parseRoute(fragment: string): Route {
  const text = fragment.replace(/^#/, '');
  const mark = text.indexOf('?');
  const path = mark === -1 ? text : text.slice(0, mark);
  return {
    path: path
      .split('/')
      .filter((part) => part !== '')
      .map(decoded),
    query: new URLSearchParams(mark === -1 ? '' : text.slice(mark + 1)),
  };
}

/** The fragment of a place; parameters that are null, undefined or empty are left out. */
export function hrefOf(
  path: readonly string[],
  query: Readonly<Record<string, string | number | null | undefined>> = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') search.set(name, String(value));
  }
  const text = search.size === 0 ? '' : `?${search}`;
  return `#/${path.map(encodeURIComponent).join('/')}${text}`;
}

/** Where the reader is; renders again when that changes. */
export function useRoute(): Route {
  const fragment = useSyncExternalStore(subscribe, () => location.hash);
  return parseRoute(fragment);
}

/** Goes to a place. `replace` keeps the way back: for filters that change with every key. */
export function go(href: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (!replace) {
    location.hash = href;
    return;
  }
  history.replaceState(null, '', href);
  dispatchEvent(new HashChangeEvent('hashchange'));
}
