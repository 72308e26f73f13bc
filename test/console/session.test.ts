import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepUnsent, keptUnsent, serviceUrl, storedKey, takeKeyFromUrl } from '../../console/src/session.ts';

let kept: Map<string, string>;
let shown: string[];

beforeEach(() => {
  kept = new Map();
  shown = [];
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  });
  vi.stubGlobal('history', { replaceState: (_: unknown, __: string, url: string) => shown.push(url) });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function open(url: string): void {
  const { hash, hostname, origin, pathname } = new URL(url);
  vi.stubGlobal('location', { hash, hostname, origin, pathname });
  takeKeyFromUrl();
}

test.each(['127.0.0.1:4580', 'localhost:4580'])(
  'a link on this machine (%s) signs in, and its key leaves the address',
  (host) => {
    open(`http://${host}/local/console#key=pt_live_mine`);

    expect(storedKey()).toBe('pt_live_mine');
    expect(shown).toEqual(['/local/console#/']);
  },
);

test('a link elsewhere signs nobody into the team of whoever sent it', () => {
  kept.set('tunesmith.key', 'pt_live_mine');

  open('https://api.example/prod/console#key=pt_live_theirs');

  expect(storedKey()).toBe('pt_live_mine');
  expect(shown).toEqual(['/prod/console#/']);
});

test('a route is no key', () => {
  open('http://127.0.0.1:4580/local/console#/datasets?key=x');

  expect([storedKey(), shown]).toEqual([null, []]);
});

test.each([
  ['https://api.example/prod/console', 'https://api.example/prod'],
  ['https://api.example/prod/console/', 'https://api.example/prod'],
  ['https://api.example/console', 'https://api.example'],
])('the service of %s is %s', (page, service) => {
  open(page);

  expect(serviceUrl()).toBe(service);
});

test('unsent verdicts are kept by dataset, and a tab without room for them says so', () => {
  expect(keepUnsent('d', '[]')).toBe(true);
  expect(keptUnsent('d')).toBe('[]');
  expect(keptUnsent('other')).toBeNull();
  keepUnsent('d', null);
  expect(keptUnsent('d')).toBeNull();

  vi.stubGlobal('sessionStorage', {
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  expect(keepUnsent('d', '[]')).toBe(false);
});
