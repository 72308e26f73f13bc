import { QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { ApiProvider, createApi, createQueries } from './api.tsx';
import { useEvents } from './follow-events.ts';
import { PageOf } from './pages.tsx';
import { useAccount } from './queries.ts';
import { useRoute } from './route.ts';
import { forgetKey, keepKey, serviceUrl, storedKey } from './session.ts';
import { SignIn } from './sign-in.tsx';
import { ErrorBoundary } from './ui/error-boundary.tsx';

const PLACES = [
  { path: 'datasets', label: 'Datasets' },
  { path: 'trainings', label: 'Training' },
  { path: 'playground', label: 'Playground' },
  { path: 'credits', label: 'Credits' },
] as const;

/** Shown to keys that an operator has given the scope, which none has by default. */
const AUDIT_PLACE = { path: 'audit', label: 'Audit log' } as const;

/** The console: a sign-in without a key, else the navigation and the page of the route. */
export function App() {
  const [key, setKey] = useState(storedKey);
  const [reason, setReason] = useState<string>();
  const signOut = useCallback((why?: string) => {
    forgetKey();
    setReason(why);
    setKey(null);
  }, []);
  const signIn = (entered: string): void => {
    keepKey(entered);
    setReason(undefined);
    setKey(entered);
  };
  return key === null ? (
    <SignIn reason={reason} onKey={signIn} />
  ) : (
    <SignedIn key={key} apiKey={key} signOut={signOut} />
  );
}

function SignedIn({
  apiKey,
  signOut,
}: {
  readonly apiKey: string;
  readonly signOut: (why?: string) => void;
}) {
  const api = useMemo(() => createApi(serviceUrl(), apiKey, signOut), [apiKey, signOut]);
  const queries = useMemo(() => createQueries(signOut), [signOut]);
  const { path } = useRoute();
  return (
    <QueryClientProvider client={queries}>
      <ApiProvider value={api}>
        <Following />
        <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
          Skip to the content
        </button>
        <div className="shell">
          <nav aria-label="Console" className="places">
            <a className="brand" href="#/">
              Tunesmith
            </a>
            <Places />
            <span className="places-end">
              <a href={`${api.url}/docs`}>API reference</a>
              <button type="button" className="plain" onClick={() => signOut()}>
                Sign out
              </button>
            </span>
          </nav>
          <ErrorBoundary key={path.join('/')}>
            <PageOf />
          </ErrorBoundary>
        </div>
      </ApiProvider>
    </QueryClientProvider>
  );
}

/** Links to the pages that the key may read. */
function Places() {
  const { path } = useRoute();
  const here = path[0] ?? 'datasets';
  const readsAudit = useAccount().data?.scopes.includes('audit') === true;
  return [...PLACES, ...(readsAudit ? [AUDIT_PLACE] : [])].map(({ path: place, label }) => (
    <a key={place} href={`#/${place}`} {...(here === place ? { 'aria-current': 'page' } : {})}>
      {label}
    </a>
  ));
}

/** Keeps the pages up to date by the events of the team. */
function Following() {
  useEvents();
  return null;
}
