import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from 'tunesmith';
import { useApi } from '../api.tsx';
import { count, plural } from '../format.ts';
import { hrefOf } from '../route.ts';
import { TextAreaField } from '../ui/fields.tsx';
import { Failure, Loading, NumberHead, Section, TableFrame } from '../ui/parts.tsx';
import { MarkedText } from '../ui/row-text.tsx';
import { type Finding, type FoundBy, findingsByCheck, SEVERITY_WORDS, type Severity } from './findings.ts';
import type { ColumnMapping } from './mapping.ts';
import { type DropCheck, PATHS, type Problems, referencesOf, type Settings } from './settings.ts';
import { useSettled } from './use-settled.ts';

/** More rows are only checked when they are asked for, since that takes the service seconds. */
const CHECKED_UNASKED_MAX = 20_000;
const TYPING_PAUSE_MS = 600;
const FINDINGS_SHOWN = 100;

const TONES: Readonly<Record<Severity, string>> = { error: 'bad', warning: 'warn', note: 'idle' };

/** What is wrong with the rows as they came, and which of them the adaptation leaves out. */
export function Checks(props: {
  readonly datasetId: string;
  readonly rowCount: number;
  /** Null while the mapping makes nothing of the rows. */
  readonly mapping: ColumnMapping | null;
  readonly settings: Settings;
  readonly problems: Problems;
  readonly onChange: (changes: Partial<Settings>) => void;
}) {
  const { datasetId, rowCount, mapping, settings, problems, onChange } = props;
  const [isAsked, setAsked] = useState(false);
  const isWanted = mapping !== null && (isAsked || rowCount <= CHECKED_UNASKED_MAX);
  const examination = useExamination(datasetId, mapping, settings, isWanted);
  const reports = examination.data?.pages ?? [];
  // The dataset shows the rows of its result, of which there may be more.
  const ownRows = reports[0]?.row_count ?? rowCount;
  const checked = reports.reduce((sum, report) => sum + report.checked_rows, 0);
  const found = findingsByCheck(reports);
  const total = found.reduce((sum, each) => sum + (each.count ?? 0), 0);
  return (
    <Section
      title="Check of the rows"
      note="Programs look at the rows as they came, before anything is spent. Rows that are left out cost nothing and are not in the result."
      actions={
        mapping !== null && !isWanted ? (
          <button type="button" onClick={() => setAsked(true)}>
            Check the rows
          </button>
        ) : null
      }
    >
      {mapping === null ? <p className="note">The rows are checked once the columns are mapped.</p> : null}
      {examination.isError ? <Failure error={examination.error} retry={() => examination.refetch()} /> : null}
      {examination.isFetching && reports.length === 0 ? <Loading what="what the checks find" /> : null}
      {reports.length > 0 ? (
        <p role="status">
          {total === 0 ? 'Nothing was found' : plural(total, 'finding')} in {plural(checked, 'row')}.{' '}
          {examination.hasNextPage ? (
            <button
              type="button"
              className="plain"
              disabled={examination.isFetching}
              onClick={() => examination.fetchNextPage()}
            >
              {examination.isFetching ? 'Checking …' : `Check the other ${count(ownRows - checked)}`}
            </button>
          ) : null}
        </p>
      ) : null}
      <CheckTable datasetId={datasetId} found={found} settings={settings} onChange={onChange} />
      {problems.has(PATHS.drop) ? <p className="hint hint-bad">{problems.get(PATHS.drop)}</p> : null}
      <References settings={settings} problems={problems} onChange={onChange} />
    </Section>
  );
}

/** Asks for the checks of the rows, and asks again when the mapping or the references are others. */
function useExamination(
  datasetId: string,
  mapping: ColumnMapping | null,
  settings: Settings,
  isWanted: boolean,
) {
  const { client } = useApi();
  const { value: text } = useSettled(
    JSON.stringify({ ...(mapping === null ? {} : { column_mapping: mapping }), ...referencesOf(settings) }),
    TYPING_PAUSE_MS,
  );
  return useInfiniteQuery({
    queryKey: ['dataset', datasetId, 'lint', text],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        client.POST('/api/v1/datasets/{dataset_id}/lint', {
          signal,
          params: { path: { dataset_id: datasetId } },
          body: { ...JSON.parse(text), first_row: pageParam },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: (report) => report.next_row,
    enabled: isWanted && text.includes('column_mapping'),
    // The rows as they came never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function CheckTable({
  datasetId,
  found,
  settings,
  onChange,
}: {
  readonly datasetId: string;
  readonly found: readonly FoundBy[];
  readonly settings: Settings;
  readonly onChange: (changes: Partial<Settings>) => void;
}) {
  return (
    <TableFrame label="Checks">
      <thead>
        <tr>
          <th scope="col">Check</th>
          <NumberHead>Rows</NumberHead>
          <th scope="col">Leave out</th>
        </tr>
      </thead>
      <tbody>
        {found.map((each) => (
          <tr key={each.check}>
            <td>
              <CheckCell datasetId={datasetId} found={each} />
            </td>
            <td className="number">{each.count === null ? '–' : count(each.count)}</td>
            <td>
              <LeaveOut found={each} settings={settings} onChange={onChange} />
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

function CheckCell({ datasetId, found }: { readonly datasetId: string; readonly found: FoundBy }) {
  const { label, finds, severity, findings, omitted } = found;
  const rest = Math.max(0, findings.length - FINDINGS_SHOWN) + omitted;
  return (
    <>
      <div className="line">
        <strong>{label}</strong>
        {findings.length === 0 ? null : (
          <span className={`state state-${TONES[severity]}`}>{SEVERITY_WORDS[severity]}</span>
        )}
      </div>
      <p className="hint">{finds}</p>
      {findings.length === 0 ? null : (
        <details>
          <summary>Show the rows</summary>
          <ul className="adapt-findings">
            {findings.slice(0, FINDINGS_SHOWN).map((finding) => (
              <li key={`${finding.row} ${finding.message}`}>
                <RowLink datasetId={datasetId} row={finding.row} />: <MarkedText text={finding.message} />{' '}
                <SimilarRow datasetId={datasetId} finding={finding} />
              </li>
            ))}
          </ul>
          {rest === 0 ? null : <p className="hint">And {count(rest)} more.</p>}
        </details>
      )}
    </>
  );
}

function SimilarRow({ datasetId, finding }: { readonly datasetId: string; readonly finding: Finding }) {
  if (finding.similar_to_row === undefined) return null;
  return (
    <>
      (<RowLink datasetId={datasetId} row={finding.similar_to_row} />)
    </>
  );
}

function RowLink({ datasetId, row }: { readonly datasetId: string; readonly row: number }) {
  return <a href={hrefOf(['datasets', datasetId, 'rows'], { row })}>row {row}</a>;
}

/** Near-duplicates are left out by a recipe of their own; every other check by name. */
function LeaveOut({
  found: { check, label },
  settings,
  onChange,
}: {
  readonly found: FoundBy;
  readonly settings: Settings;
  readonly onChange: (changes: Partial<Settings>) => void;
}) {
  const isDropped =
    check === 'near_duplicate' ? settings.deduplication : settings.drop.includes(check satisfies DropCheck);
  return (
    <input
      type="checkbox"
      aria-label={`Leave out rows: ${label}`}
      checked={isDropped}
      onChange={({ target: { checked } }) => {
        if (check === 'near_duplicate') {
          onChange({ deduplication: checked });
          return;
        }
        const others = settings.drop.filter((each) => each !== check);
        onChange({ drop: checked ? [...others, check] : others });
      }}
    />
  );
}

function References({
  settings,
  problems,
  onChange,
}: {
  readonly settings: Settings;
  readonly problems: Problems;
  readonly onChange: (changes: Partial<Settings>) => void;
}) {
  return (
    <details open={problems.has(PATHS.benchmarks) || problems.has(PATHS.answerSchema)}>
      <summary>Benchmarks and answer schema</summary>
      <div className="stack">
        <TextAreaField
          label="Benchmarks"
          hint="Texts that must not be trained on, with an empty line between them; at most 10,000."
          problem={problems.get(PATHS.benchmarks)}
          value={settings.benchmarks}
          onChange={(benchmarks) => onChange({ benchmarks })}
        />
        <TextAreaField
          label="JSON Schema of the answers"
          hint="Every answer, or its first block of JSON, has to satisfy it."
          problem={problems.get(PATHS.answerSchema)}
          className="mono"
          spellCheck={false}
          placeholder='{ "type": "object", "required": ["label"] }'
          value={settings.answerSchema}
          onChange={(answerSchema) => onChange({ answerSchema })}
        />
      </div>
    </details>
  );
}
