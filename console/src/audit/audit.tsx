import { dataOf, type Schemas } from 'tunesmith';
import { useApi } from '../api.tsx';
import { usePages } from '../queries.ts';
import { Empty, Failure, Loading, Page, ShowMore, State, TableFrame, Time } from '../ui/parts.tsx';

const PAGE = 50;

/** What operators changed, of all teams: shown to keys that they gave the scope `audit`. */
export default function Audit() {
  const { client } = useApi();
  const log = usePages(['audit'], (place, signal) =>
    dataOf(client.GET('/api/v1/audit', { signal, params: { query: { limit: PAGE, ...place } } })),
  );
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Page title="Audit log">
      <p className="note">What operators changed, for all teams, newest first, of two years.</p>
      {log.isError ? <Failure error={log.error} retry={() => log.refetch()} /> : null}
      {log.isPending ? <Loading what="the audit log" /> : null}
      {log.isSuccess && entries.length === 0 ? (
        <Empty title="No operator has changed anything yet">
          <p>Commands that change something are listed here from their beginning.</p>
        </Empty>
      ) : null}
      {entries.length === 0 ? null : <Entries entries={entries} />}
      <ShowMore of={log} />
    </Page>
  );
}

/** The tone of an outcome, as states of runs have it. */
const STATES = { begun: 'running', done: 'succeeded', failed: 'failed' } as const;

function Entries({ entries }: { readonly entries: readonly Schemas['AuditEntry'][] }) {
  return (
    <TableFrame label="What operators changed" className="table-wide">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Command</th>
          <th scope="col">Outcome</th>
          <th scope="col">Given</th>
          <th scope="col">By</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.entry_id}>
            <td className="nowrap">
              <Time iso={entry.at} />
            </td>
            <th scope="row">{entry.command}</th>
            <td>
              <State value={STATES[entry.outcome]} label={entry.outcome} />
              {entry.error === null ? null : (
                <p className="hint" dir="auto">
                  {entry.error}
                </p>
              )}
            </td>
            <td>
              <code dir="auto">{entry.given}</code>
            </td>
            <td>
              <code>{entry.by}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
