import type { UseInfiniteQueryResult, UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { TunesmithError } from 'tunesmith';
import { useApi } from '../api.tsx';
import { dateTime, exactDateTime, words } from '../format.ts';

/** The frame of a page: its title, where it belongs, and its actions. It names the tab too. */
export function Page(props: {
  readonly title: string;
  /** Links to the places above this one. */
  readonly trail?: readonly { readonly href: string; readonly label: string }[];
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${props.title} · Tunesmith`;
  }, [props.title]);
  return (
    <main id="main" tabIndex={-1}>
      <header className="page-head">
        <div>
          {props.trail === undefined ? null : (
            <nav aria-label="Breadcrumb" className="trail">
              {props.trail.map(({ href, label }) => (
                <a key={href} href={href}>
                  {label}
                </a>
              ))}
            </nav>
          )}
          <h1>{props.title}</h1>
        </div>
        {props.actions === undefined ? null : <div className="actions">{props.actions}</div>}
      </header>
      {props.children}
    </main>
  );
}

/** A group of a page, with its heading. */
export function Section(props: {
  readonly title: string;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="section">
      <div className="section-head">
        <h2 id={id}>{props.title}</h2>
        {props.actions}
      </div>
      {props.note === undefined ? null : <p className="note">{props.note}</p>}
      {props.children}
    </section>
  );
}

/** What went wrong, in the service's words, with the id that its operator needs. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const { signOut } = useApi();
  const failed = error instanceof TunesmithError ? error : null;
  return (
    <div className="notice notice-bad" role="alert">
      <p>
        <strong>
          {failed?.code === 'scope_missing'
            ? 'This key may not read this page.'
            : failed?.status === 0
              ? 'The service does not answer.'
              : 'This did not work.'}
        </strong>{' '}
        {failed === null ? String(error) : failed.message}
      </p>
      {failed !== null && failed.details.length > 0 ? (
        <ul>
          {failed.details.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      ) : null}
      <p className="notice-foot">
        {retry === undefined ? null : (
          <button type="button" onClick={retry}>
            Try again
          </button>
        )}
        {failed?.code === 'scope_missing' ? (
          <button type="button" onClick={() => signOut()}>
            Use another key
          </button>
        ) : null}
        {failed?.requestId == null ? null : (
          <span>
            Request id <code>{failed.requestId}</code>
          </span>
        )}
      </p>
    </div>
  );
}

/** Shown while the first answer is awaited. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p className="loading" role="status">
      Loading {what} …
    </p>
  );
}

/** Says what belongs here, and how to get it. */
export function Empty({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

const TONES = {
  succeeded: 'good',
  changed: 'good',
  expanded: 'good',
  failed: 'bad',
  expansion_failed: 'bad',
  dropped: 'warn',
  cancelled: 'warn',
  running: 'busy',
  pending: 'idle',
} as const;

/** A state as a word; the colour repeats it. */
export function State({ value, label }: { readonly value: string; readonly label?: string }) {
  const tone = Object.hasOwn(TONES, value) ? TONES[value as keyof typeof TONES] : 'idle';
  return <span className={`state state-${tone}`}>{label ?? words(value)}</span>;
}

/** A time in the reader's zone; its title has the zone. */
export function Time({ iso }: { readonly iso: string }) {
  return (
    <time dateTime={iso} title={exactDateTime(iso)}>
      {dateTime(iso)}
    </time>
  );
}

/** How far work is; without a share nobody knows. */
export function Progress({ label, share }: { readonly label: string; readonly share: number | null }) {
  return (
    <progress aria-label={label} className="bar" {...(share === null ? {} : { value: share, max: 1 })}>
      {share === null ? 'working' : `${Math.round(share * 100)} %`}
    </progress>
  );
}

/** A list of facts: a name and a value each. */
export function Facts({ of }: { readonly of: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A table in a frame, in which it scrolls where the window is narrow. */
export function TableFrame(props: {
  /** What the table shows. */
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  return (
    <section
      className={props.className === undefined ? 'table-frame' : `table-frame ${props.className}`}
      aria-label={props.label}
      // A region that scrolls has to be reached by the keyboard.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
    >
      <table>{props.children}</table>
    </section>
  );
}

/** The head of a column of numbers. */
export function NumberHead({ children }: { readonly children: ReactNode }) {
  return (
    <th scope="col" className="number">
      {children}
    </th>
  );
}

/** Asks for the next page of a list; nothing after the last one. */
export function ShowMore({
  of: { hasNextPage, isFetchingNextPage, fetchNextPage },
}: {
  readonly of: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
}) {
  return hasNextPage ? (
    <div>
      <button type="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {isFetchingNextPage ? 'Loading …' : 'Show more'}
      </button>
    </div>
  ) : null;
}

/** A modal dialog. Escape closes it, and the focus returns to what opened it. */
export function Dialog(props: {
  readonly title: string;
  /** As wide as the window lets it be, for texts side by side. */
  readonly isWide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the dialog is taken out of the page: only then the browser gives the focus back.
  useLayoutEffect(() => {
    const { current } = element;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={element}
      className={props.isWide === true ? 'wide' : undefined}
      aria-labelledby={id}
      onCancel={props.onClose}
    >
      <h2 id={id}>{props.title}</h2>
      {props.children}
    </dialog>
  );
}

/** Asks before something is done that nothing takes back. */
export function ConfirmDialog(props: {
  readonly title: string;
  /** What is done when it is confirmed. */
  readonly action: Pick<UseMutationResult<unknown, Error, void>, 'error' | 'isPending' | 'mutate'>;
  /** What the buttons say: that which leaves all as it is, and that which acts, before and meanwhile. */
  readonly leave: string;
  readonly confirm: string;
  readonly confirming: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { error, isPending, mutate } = props.action;
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <p>{props.children}</p>
      {error === null ? null : <Failure error={error} />}
      <div className="dialog-foot">
        <button type="button" onClick={props.onClose}>
          {props.leave}
        </button>
        <button type="button" className="danger" disabled={isPending} onClick={() => mutate()}>
          {isPending ? props.confirming : props.confirm}
        </button>
      </div>
    </Dialog>
  );
}
