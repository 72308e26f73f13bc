import { type ReactNode, useId } from 'react';
import { dataOf, type Schemas } from 'tunesmith';
import { useApi } from '../api.tsx';
import { aboutMinutes, number, plural } from '../format.ts';
import { useAccount } from '../queries.ts';
import { Facts, Failure } from '../ui/parts.tsx';
import { notesBesidesReuse, reuseWords } from './reuse.ts';
import type { AdaptRequest } from './settings.ts';
import { type Quoted, useQuoted } from './use-quoted.ts';

type Quote = Schemas['RunQuote'];

type Estimate = Quoted<Quote>;

/** The price of an adaptation, which nothing is launched for. */
export function useEstimate(datasetId: string, request: AdaptRequest | null): Estimate {
  const { client } = useApi();
  return useQuoted(['dataset', datasetId], request, (asked, signal) =>
    dataOf(
      client.POST('/api/v1/datasets/{dataset_id}/adapt', {
        signal,
        params: { path: { dataset_id: datasetId } },
        body: { ...asked, estimate: true },
      }),
    ),
  );
}

/** The price and duration of the adaptation, what remains of the balance, and the launch. */
export function Summary({
  rows,
  ...props
}: Omit<LaunchCardProps<Quote>, 'pricing' | 'show' | 'start' | 'hint'> & {
  /** Rows that the adaptation reads. */
  readonly rows: number;
}) {
  return (
    <LaunchCard
      {...props}
      pricing="Pricing these settings …"
      show={(quote) => <Price quote={quote} rows={rows} areNotesWarnings />}
      start="Start the adaptation"
      hint="The credits are reserved now. At the end only delivered rows are charged; the rest returns."
    />
  );
}

interface LaunchCardProps<Answer> {
  readonly estimate: Quoted<Answer>;
  /** Why nothing can be launched yet; null if it can. */
  readonly obstacle: string | null;
  readonly isLaunching: boolean;
  readonly launchError: unknown;
  readonly onLaunch: () => void;
  /** Said while the price is awaited. */
  readonly pricing: string;
  readonly show: (quote: Answer) => ReactNode;
  /** What the button says. */
  readonly start: string;
  readonly hint: string;
}

/** The estimate of what a form asks for, and the button that launches it. */
export function LaunchCard<Answer>(props: LaunchCardProps<Answer>) {
  const { estimate, obstacle, isLaunching, launchError, onLaunch } = props;
  const { quote } = estimate;
  const id = useId();
  return (
    <section className="card stack adapt-summary" aria-labelledby={id}>
      <h2 id={id}>Estimate</h2>
      <div role="status" className="stack">
        {obstacle === null ? null : <p className="note">{obstacle}</p>}
        {obstacle === null && quote === null && estimate.error === null ? (
          <p className="quiet">{props.pricing}</p>
        ) : null}
        {quote === null || obstacle !== null ? null : props.show(quote)}
      </div>
      {estimate.error === null || obstacle !== null ? null : (
        <Failure error={estimate.error} retry={estimate.retry} />
      )}
      {launchError === null || launchError === estimate.error ? null : <Failure error={launchError} />}
      <button
        type="button"
        className="primary"
        disabled={obstacle !== null || quote === null || isLaunching}
        onClick={onLaunch}
      >
        {isLaunching ? 'Starting …' : props.start}
      </button>
      <p className="hint">{props.hint}</p>
    </section>
  );
}

/** Credits, duration and what is to be known of them. */
export function Price({
  quote,
  rows = null,
  areNotesWarnings = false,
}: {
  readonly quote: Quote;
  /** Rows that the adaptation reads; null where that is not known. */
  readonly rows?: number | null;
  readonly areNotesWarnings?: boolean;
}) {
  const { estimatedCreditsConsumed: credits, estimatedMinutes: minutes, estimateBasis } = quote;
  const reuse = reuseWords(quote, rows);
  return (
    <>
      <PriceFigure credits={credits} minutes={minutes} />
      {reuse === null ? null : <p className="notice">{reuse}</p>}
      {estimateBasis === undefined ? null : <p className="hint">The time is {estimateBasis}.</p>}
      {quote.multimodalPricingApplied ? (
        <p className="hint">
          With images, 100 rows cost {plural(quote.creditMultiplier ?? 10, 'credit')} instead of 1, and the
          dataset cannot be trained on.
        </p>
      ) : null}
      {notesBesidesReuse(quote).map((note) => (
        <p key={note} className={areNotesWarnings ? 'notice notice-warn' : 'notice'}>
          {note}
        </p>
      ))}
      <Balance credits={credits} />
    </>
  );
}

export function PriceFigure({ credits, minutes }: { readonly credits: number; readonly minutes: number }) {
  return (
    <p className="adapt-price">
      <span className="figure">{plural(credits, 'credit')}</span>
      <span>{aboutMinutes(minutes)}</span>
    </p>
  );
}

/** What the team has, and what remains when the run is launched. */
export function Balance({ credits }: { readonly credits: number }) {
  const account = useAccount();
  if (account.data === undefined) return null;
  const { available } = account.data.balance;
  const rest = available - credits;
  return rest < 0 ? (
    <p className="notice notice-bad">
      The team has {plural(available, 'credit')}: {number(-rest)} too few. Take fewer rows, or ask your
      operator for credits.
    </p>
  ) : (
    <Facts
      of={[
        ['Balance', plural(available, 'credit')],
        ['Remains', plural(rest, 'credit')],
      ]}
    />
  );
}
