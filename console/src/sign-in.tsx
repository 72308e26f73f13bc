import { QueryClient, QueryClientProvider, useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { createTunesmith, dataOf, TunesmithError } from 'tunesmith';
import { serviceUrl } from './session.ts';
import { TextField } from './ui/fields.tsx';

const queries = new QueryClient();

/** Asks for an API key and tries it before it is kept. */
export function SignIn(props: {
  readonly reason: string | undefined;
  readonly onKey: (key: string) => void;
}) {
  return (
    <QueryClientProvider client={queries}>
      <Form {...props} />
    </QueryClientProvider>
  );
}

function Form({
  reason,
  onKey,
}: {
  readonly reason: string | undefined;
  readonly onKey: (key: string) => void;
}) {
  const [key, setKey] = useState('');
  useEffect(() => {
    document.title = 'Sign in · Tunesmith';
  }, []);
  const trial = useMutation({
    mutationFn: (apiKey: string) =>
      dataOf(createTunesmith({ baseUrl: serviceUrl(), apiKey }).GET('/api/v1/me')),
    onSuccess: (_, apiKey) => onKey(apiKey),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const entered = key.trim();
    if (entered !== '') trial.mutate(entered);
  };
  const problem = trial.error instanceof TunesmithError ? trial.error.message : undefined;
  return (
    <main id="main" className="sign-in">
      <h1>Tunesmith</h1>
      {reason === undefined ? null : (
        <p role="alert" className="notice notice-bad">
          You were signed out. {reason}
        </p>
      )}
      <form onSubmit={submit}>
        <TextField
          label="API key"
          hint="It stays in this tab and is forgotten when you close it. Your operator issues keys."
          problem={problem}
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={key}
          onChange={setKey}
          placeholder="pt_live_…"
        />
        <button type="submit" className="primary" disabled={trial.isPending}>
          {trial.isPending ? 'Signing in …' : 'Sign in'}
        </button>
      </form>
    </main>
  );
}
