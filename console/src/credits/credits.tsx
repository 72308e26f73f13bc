import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { dataOf, type Schemas } from 'tunesmith';
import { useApi } from '../api.tsx';
import { capitalized, count, plural, words } from '../format.ts';
import { useAccount, usePages } from '../queries.ts';
import { go, hrefOf, useRoute } from '../route.ts';
import { DatasetLink } from '../ui/dataset-link.tsx';
import {
  Facts,
  Failure,
  Loading,
  NumberHead,
  Page,
  Section,
  ShowMore,
  State,
  TableFrame,
  Time,
} from '../ui/parts.tsx';
import './credits.css';
import { effectOf, MOVEMENT_WORDS, pricesOfRuns } from './ledger.ts';
import { AnswersTable, UsageChart } from './usage.tsx';

/** The credits of the team: what it has, what it may use at once, what was billed, and every movement. */
export default function Credits() {
  return (
    <Page title="Credits">
      <Balance />
      <Usage />
      <Ledger />
      <Plan />
    </Page>
  );
}

const BALANCE_REFRESH_MS = 15_000;

function Balance() {
  const account = useAccount({
    refetchInterval: ({ state }) =>
      (state.data?.balance.active_runs ?? 0) > 0 || (state.data?.balance.held ?? 0) > 0
        ? BALANCE_REFRESH_MS
        : false,
  });
  const balance = account.data?.balance;
  return (
    <Section
      title="Balance"
      note="A launch reserves its price. When it ends, what it delivered is billed and the rest returns. Answers reserve credits in blocks, which return five minutes after the last one."
    >
      {account.isError ? <Failure error={account.error} retry={() => account.refetch()} /> : null}
      {account.isPending ? <Loading what="the balance" /> : null}
      {balance === undefined ? null : (
        <div className="card stack">
          <p className="line">
            <span className="figure">{count(balance.available)}</span>
            <span>{balance.available === 1 ? 'credit' : 'credits'} to spend</span>
          </p>
          <Facts
            of={[
              ['Granted', plural(balance.granted, 'credit')],
              ['Billed', plural(balance.settled, 'credit')],
              ['Reserved', plural(balance.held, 'credit')],
              ['Active runs', count(balance.active_runs)],
            ]}
          />
          {balance.available === 0 ? (
            <p className="notice notice-warn">
              Nothing can be launched until credits return, or your operator grants more.
            </p>
          ) : null}
        </div>
      )}
    </Section>
  );
}

function Plan() {
  const account = useAccount();
  if (account.data === undefined) return null;
  const { plan, scopes } = account.data;
  const { name, ...limits } = plan;
  return (
    <Section title="Plan and limits" note="An operator sets them.">
      <div className="card stack">
        <Facts
          of={[
            ['Plan', name],
            ...Object.entries(limits).map(([limit, value]): [string, string] => [
              capitalized(words(limit)),
              value === null ? 'no limit' : count(value),
            ]),
          ]}
        />
        <Facts
          of={[
            ['What this key may do', scopes.join(', ')],
            ['Team', <code key="team">{account.data.team_id}</code>],
            ['Key', <code key="key">{account.data.key_id}</code>],
            ['Release of the service', account.data.release],
          ]}
        />
      </div>
    </Section>
  );
}

const RANGES = [7, 30, 90] as const;

function Usage() {
  const { client } = useApi();
  const { query } = useRoute();
  const days = RANGES.find((each) => String(each) === query.get('days')) ?? 30;
  const usage = useQuery({
    queryKey: ['usage', days],
    queryFn: ({ signal }) =>
      dataOf(client.GET('/api/v1/credits/usage', { signal, params: { query: { days } } })),
    placeholderData: (earlier) => earlier,
  });
  return (
    <>
      <Section
        title="Billed by day"
        note="Days are those of UTC."
        actions={
          <select
            aria-label="Days"
            className="narrow"
            value={days}
            onChange={(event) => go(hrefOf(['credits'], { days: event.target.value }), { replace: true })}
          >
            {RANGES.map((each) => (
              <option key={each} value={each}>
                {each} days
              </option>
            ))}
          </select>
        }
      >
        {usage.isError ? <Failure error={usage.error} retry={() => usage.refetch()} /> : null}
        {usage.isPending ? <Loading what="the usage" /> : null}
        {usage.data === undefined ? null : <UsageChart usage={usage.data} />}
      </Section>
      {usage.data === undefined ? null : (
        <Section title="What answers cost" note={`In the ${days} days above, by model.`}>
          <AnswersTable days={usage.data.days} />
        </Section>
      )}
    </>
  );
}

const LEDGER_PAGE = 50;

function Ledger() {
  const { client } = useApi();
  const [view, setView] = useState<'movements' | 'runs'>('movements');
  const trainings = useTrainingIds();
  const ledger = usePages(['ledger'], (place, signal) =>
    dataOf(
      client.GET('/api/v1/credits/ledger', { signal, params: { query: { limit: LEDGER_PAGE, ...place } } }),
    ),
  );
  const entries = ledger.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Section
      title="Ledger"
      note="Newest first. An entry never changes."
      actions={
        <select
          aria-label="Show the ledger by"
          className="narrow"
          value={view}
          onChange={(event) => setView(event.target.value === 'runs' ? 'runs' : 'movements')}
        >
          <option value="movements">Every movement</option>
          <option value="runs">What each run cost</option>
        </select>
      }
    >
      {ledger.isError ? <Failure error={ledger.error} retry={() => ledger.refetch()} /> : null}
      {ledger.isPending ? <Loading what="the ledger" /> : null}
      {ledger.isSuccess && entries.length === 0 ? (
        <p className="note">No credits have moved yet. An operator grants the first ones.</p>
      ) : null}
      {entries.length === 0 ? null : view === 'movements' ? (
        <Movements entries={entries} trainings={trainings} />
      ) : (
        <Runs entries={entries} trainings={trainings} />
      )}
      <ShowMore of={ledger} />
    </Section>
  );
}

/** Ids of the newest trainings, so that their runs link to them; none where the key may not read them. */
function useTrainingIds(): ReadonlySet<string> {
  const { client } = useApi();
  const list = useQuery({
    queryKey: ['trainings', 'ids'],
    queryFn: ({ signal }) =>
      dataOf(client.GET('/api/v1/autoscientist', { signal, params: { query: { limit: 100 } } })),
    select: ({ runs }) => new Set(runs.map(({ id }) => id)),
  });
  return list.data ?? new Set();
}

interface EntriesProps {
  readonly entries: readonly Schemas['LedgerMovement'][];
  readonly trainings: ReadonlySet<string>;
}

const signed = (value: number): string =>
  value === 0 ? '0' : `${value > 0 ? '+' : '−'}${count(Math.abs(value))}`;

function Movements({ entries, trainings }: EntriesProps) {
  return (
    <TableFrame label="Movements of credits" className="table-wide">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">What</th>
          <NumberHead>Credits</NumberHead>
          <NumberHead>To spend</NumberHead>
          <th scope="col">For</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.entry_id}>
            <td className="nowrap">
              <Time iso={entry.created_at} />
            </td>
            <td>
              <State
                value={entry.type === 'settle' ? 'running' : 'pending'}
                label={MOVEMENT_WORDS[entry.type]}
              />
            </td>
            <td className="number">{count(entry.credits)}</td>
            <td className="number quiet">{signed(effectOf(entry))}</td>
            <td>{purposeOf(entry, trainings)}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

function purposeOf(
  { purpose, run_id: runId, dataset_id: datasetId, reason }: Schemas['LedgerMovement'],
  trainings: ReadonlySet<string>,
): ReactNode {
  if (purpose === 'answers') return 'answers of models';
  if (purpose === 'grant') return <span dir="auto">{reason ?? 'a grant'}</span>;
  return (
    <>
      {runId === null ? 'a run' : runOf(runId, datasetId, trainings)}
      <Reason of={reason} />
    </>
  );
}

/** Why a run cost less than it reserved, behind its name. */
const Reason = ({ of }: { readonly of: string | null }) =>
  of === null ? null : <span className="quiet"> ({words(of)})</span>;

function runOf(runId: string, datasetId: string | null, trainings: ReadonlySet<string>): ReactNode {
  if (trainings.has(runId)) return <a href={hrefOf(['trainings', runId])}>training</a>;
  return datasetId === null ? <code title={runId}>{runId.slice(0, 8)}</code> : <DatasetLink id={datasetId} />;
}

function Runs({ entries, trainings }: EntriesProps) {
  const runs = pricesOfRuns(entries);
  const shown = (credits: number | null): string => (credits === null ? '–' : count(credits));
  if (runs.length === 0) return <p className="note">None of these movements is of a run.</p>;
  return (
    <TableFrame label="Prices of runs" className="table-wide">
      <thead>
        <tr>
          <th scope="col">Of</th>
          <th scope="col">Run</th>
          <NumberHead>Reserved</NumberHead>
          <NumberHead>Billed</NumberHead>
          <NumberHead>Returned</NumberHead>
          <th scope="col">Last movement</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.runId}>
            <th scope="row">
              {runOf(run.runId, run.datasetId, trainings)}
              <Reason of={run.reason} />
            </th>
            <td>
              <code title={run.runId}>{run.runId.slice(0, 8)}</code>
            </td>
            <td className="number">{shown(run.reserved)}</td>
            <td className="number">
              <strong>{shown(run.billed)}</strong>
            </td>
            <td className="number">{shown(run.returned)}</td>
            <td className="nowrap">
              <Time iso={run.at} />
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
