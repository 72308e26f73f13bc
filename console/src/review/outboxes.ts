import type { Api } from '../api.tsx';
import { keepUnsent, keptUnsent, storedKey } from '../session.ts';
import { type Recorded, sendVerdicts, type Verdict } from './contract.ts';
import { createOutbox, type Outbox, type OutboxState } from './outbox.ts';

/** The outbox of a dataset. It goes on while other pages of the console are looked at. */
export interface SharedOutbox extends Outbox {
  /** Tells changes of its state; the answer ends that. */
  subscribe(onChange: () => void): () => void;
  /** Tells what the service answers; the answer ends that. */
  listen(onAnswer: (answer: Recorded, sent: readonly Verdict[]) => void): () => void;
}

/** By what reads the API, so that verdicts are sent with the key that they were given under. */
const outboxes = new WeakMap<Api, Map<string, SharedOutbox>>();
/** Outboxes with something unsent: leaving the console asks then. */
const unsent = new Set<string>();

const onLeave = (event: BeforeUnloadEvent): void => event.preventDefault();

function watch(datasetId: string, { unsent: waiting }: OutboxState): void {
  if (waiting.length > 0) unsent.add(datasetId);
  else unsent.delete(datasetId);
  // A listener keeps some browsers from restoring the page at once: there is one only while it is needed.
  if (unsent.size > 0) addEventListener('beforeunload', onLeave);
  else removeEventListener('beforeunload', onLeave);
}

/** Verdicts that an earlier page of this tab has kept. What is no list of them was not written here. */
export function readKept(text: string | null): readonly Verdict[] {
  if (text === null) return [];
  try {
    const kept: unknown = JSON.parse(text);
    return Array.isArray(kept) ? (kept as Verdict[]) : [];
  } catch {
    return [];
  }
}

/** Waits, and no longer once it is woken or the connection is back. */
export function pause(milliseconds: number): { readonly over: Promise<void>; readonly wake: () => void } {
  let wake = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    wake = () => {
      clearTimeout(timer);
      removeEventListener('online', wake);
      resolve();
    };
    const timer = setTimeout(() => wake(), milliseconds);
    addEventListener('online', wake);
  });
  return { over, wake };
}

/** The outbox of a dataset, made when it is first asked for, with what an earlier page of this tab left unsent. */
export function outboxOf(api: Api, datasetId: string): SharedOutbox {
  const known = outboxes.get(api) ?? new Map<string, SharedOutbox>();
  outboxes.set(api, known);
  const found = known.get(datasetId);
  if (found !== undefined) return found;
  const changed = new Set<() => void>();
  const answered = new Set<(answer: Recorded, sent: readonly Verdict[]) => void>();
  const kept = readKept(keptUnsent(datasetId));
  const outbox = createOutbox(
    {
      send: async (verdicts) => {
        // Another key may be another person.
        if (storedKey() !== api.key) throw new Error('You were signed out.');
        return sendVerdicts(api.client, datasetId, verdicts);
      },
      keep: (waiting) => {
        keepUnsent(datasetId, waiting.length === 0 ? null : JSON.stringify(waiting));
      },
      onAnswer: (answer, sent) => {
        for (const listener of answered) listener(answer, sent);
      },
      onChange: (state) => {
        watch(datasetId, state);
        for (const listener of changed) listener();
      },
      pause,
    },
    kept,
  );
  watch(datasetId, outbox.state());
  const added = (listeners: Set<unknown>, listener: unknown) => () => void listeners.delete(listener);
  const shared: SharedOutbox = {
    ...outbox,
    subscribe(onChange) {
      changed.add(onChange);
      return added(changed, onChange);
    },
    listen(onAnswer) {
      answered.add(onAnswer);
      return added(answered, onAnswer);
    },
  };
  known.set(datasetId, shared);
  return shared;
}
