import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Schemas } from 'tunesmith';
import { useApi } from '../api.tsx';
import { count, number, percent, words } from '../format.ts';
import { hrefOf } from '../route.ts';
import { DoubtBadge, DoubtReasons } from '../ui/doubt.tsx';
import { Dialog, Facts, Failure, Loading, State, TableFrame } from '../ui/parts.tsx';
import { MarkedText, RowText } from '../ui/row-text.tsx';
import { isWebAddress } from '../web-address.ts';
import { Conversation } from './conversation.tsx';
import { Differences, Side } from './differences.tsx';
import { loadLongRow, loadRow, type RowsOf } from './load.ts';
import type { Row, RowsPage } from './pages.ts';
import {
  editWords,
  evidenceWords,
  LENGTH_WORDS,
  languageName,
  type Pair,
  SAFETY_ISSUE_MIN,
  safetyOf,
  viewRow,
} from './row-view.ts';
import { THOROUGH } from './word-diff.ts';

type Cell = Schemas['ShownCell'];

interface RowDialogProps {
  readonly of: Pick<RowsOf, 'datasetId' | 'runId' | 'version'>;
  readonly row: number;
  readonly hrefOfRow: (row: number) => string;
  readonly onClose: () => void;
}

/** One row complete, in a dialog. */
export function RowDialog({ of, row, hrefOfRow, onClose }: RowDialogProps) {
  const { datasetId, runId, version } = of;
  const { client } = useApi();
  const detail = useQuery({
    queryKey: ['row', datasetId, runId, version, row],
    queryFn: ({ signal }) => loadRow(client, of, row, signal),
    staleTime: Number.POSITIVE_INFINITY,
    // Its link to a long row works for 15 minutes, and its texts may be long.
    gcTime: 60_000,
  });
  const url = detail.data?.url ?? null;
  const [wantsAll, setWantsAll] = useState(false);
  const all = useQuery({
    queryKey: ['long-row', datasetId, runId, version, row],
    queryFn: ({ signal }) => loadLongRow(url ?? '', signal),
    enabled: wantsAll && url !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const shown = detail.data === undefined ? null : { ...detail.data.row, ...all.data };
  return (
    <Dialog title={`Row ${count(row)}`} isWide onClose={onClose}>
      <div className="line row-dialog-actions">
        <LinkToRow of={{ datasetId, runId: detail.data?.run_id ?? runId, version }} row={row} />
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      {detail.isError ? <Failure error={detail.error} retry={() => detail.refetch()} /> : null}
      {detail.isPending ? <Loading what="the row" /> : null}
      {url === null || all.isSuccess ? null : (
        <div className="notice notice-warn">
          <p>This row is too long for one answer of the service. Its texts are cut here.</p>
          <p className="notice-foot">
            <button
              type="button"
              disabled={all.isFetching}
              onClick={() => (all.isError ? all.refetch() : setWantsAll(true))}
            >
              {all.isFetching ? 'Loading …' : 'Load all of it'}
            </button>
            {all.isError ? <span role="alert">{String(all.error)}</span> : null}
          </p>
        </div>
      )}
      {detail.data === undefined || shown === null ? null : (
        <Complete
          key={String(all.isSuccess)}
          datasetId={datasetId}
          row={shown}
          columns={detail.data.columns}
          hrefOfRow={hrefOfRow}
        />
      )}
    </Dialog>
  );
}

/** Copies the address of the row, with its run or version; where the browser forbids that, shows it. */
function LinkToRow({
  of: { datasetId, runId, version },
  row,
}: {
  readonly of: RowDialogProps['of'];
  readonly row: number;
}) {
  const [state, setState] = useState<'idle' | 'copied' | 'shown'>('idle');
  const address = `${location.origin}${location.pathname}${hrefOf(['datasets', datasetId, 'rows'], { run_id: runId, version, row })}`;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(address);
      setState('copied');
    } catch {
      setState('shown');
    }
  };
  return (
    <>
      <button type="button" onClick={copy}>
        Copy link to this row
      </button>
      <span role="status">{state === 'copied' ? 'Copied' : null}</span>
      {state === 'shown' ? (
        <input
          aria-label="Link to this row"
          readOnly
          value={address}
          onFocus={(event) => event.target.select()}
        />
      ) : null}
    </>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="row-part">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

export function Complete({
  datasetId,
  row,
  columns,
  hrefOfRow,
}: {
  readonly datasetId: string;
  readonly row: Row;
  readonly columns: RowsPage['columns'];
  readonly hrefOfRow: (row: number) => string;
}) {
  const view = viewRow(columns, row);
  return (
    <div className="row-complete">
      <Decision row={row} hrefOfRow={hrefOfRow} />
      <Doubted datasetId={datasetId} row={row} />
      {view.prompt === null ? null : (
        <Compared title="Prompt" pair={view.prompt} hasRun={row.outcome !== null} />
      )}
      {view.completion === null ? null : (
        <Compared title="Completion" pair={view.completion} hasRun={row.outcome !== null} />
      )}
      {view.trace === null ? null : (
        <Part title="Reasoning trace">
          <RowText text={view.trace.text} />
        </Part>
      )}
      {view.chosen === null && view.rejected === null ? null : (
        <Part title="Preference pair">
          <div className="columns">
            <Side label="Chosen" cell={view.chosen} />
            <Side label="Rejected" cell={view.rejected} />
          </div>
        </Part>
      )}
      {view.safety.length === 0 ? null : <Safety cells={view.safety} />}
      {row.sources.length === 0 ? null : <Sources sources={row.sources} />}
      <Cells title="Other columns of the source" cells={view.source} />
      <Cells title="Other columns that the run wrote" cells={view.written} />
    </div>
  );
}

/** What the run did with the row, and why. */
function Decision({ row, hrefOfRow }: { readonly row: Row; readonly hrefOfRow: (row: number) => string }) {
  const { outcome, code, message, edit, score, similar_to_row: similar, source_row: source, target } = row;
  const facts: [string, ReactNode][] = [];
  if (outcome !== null) facts.push(['Outcome', <State key="outcome" value={outcome} />]);
  if (code !== null) facts.push(['Reason', words(code)]);
  if (edit !== null) {
    facts.push(
      ['Edit', editWords(edit)],
      ['Accepted because', evidenceWords(edit)],
      ['Words kept', percent(edit.words_kept)],
    );
  }
  if (row.language !== null) facts.push(['Language', languageName(row.language)]);
  if (row.length_change !== null) facts.push(['Length', LENGTH_WORDS[row.length_change]]);
  if (score !== null) {
    const side = (value: number | null): string => (value === null ? '–' : number(value));
    facts.push(['Score of 10, before and after', `${side(score.before)} → ${side(score.after)}`]);
    if (score.preferred !== null) {
      facts.push(['The judge preferred', score.preferred === 'after' ? 'the new answer' : 'the original']);
    }
  }
  if (similar !== null) {
    facts.push([
      'Repeats',
      <a key="similar" href={hrefOfRow(similar)}>
        row {count(similar)}
      </a>,
    ]);
  }
  if (source !== null) {
    facts.push([
      'Made of',
      <a key="source" href={hrefOfRow(source)}>
        row {count(source)}
      </a>,
    ]);
  }
  if (target !== null) {
    const country = target.country === null ? '' : `, ${target.country}`;
    facts.push(['Target', `${languageName(target.language)}${country}`]);
  }
  return (
    <section className="row-part" aria-label="What the run did">
      {facts.length === 0 ? null : <Facts of={facts} />}
      {message === null ? null : (
        <p className="text" dir="auto">
          <MarkedText text={message} />
        </p>
      )}
      {row.notes.length === 0 ? null : (
        <ul className="row-notes">
          {row.notes.map((note) => (
            <li key={`${note.code} ${note.message}`}>
              <strong>{words(note.code)}</strong> <MarkedText text={note.message} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Who doubts the answer of the row, why, and what is proposed in its place. */
function Doubted({ datasetId, row }: { readonly datasetId: string; readonly row: Row }) {
  const { doubt } = row;
  if (doubt === null) return null;
  return (
    <Part title="Doubt">
      <p className="line">
        <DoubtBadge doubt={doubt} />
        <a href={hrefOf(['datasets', datasetId, 'review'])}>Review doubtful rows</a>
      </p>
      <DoubtReasons reasons={doubt.reasons} />
      {doubt.proposal === undefined ? null : <Side label="Proposal" cell={{ text: doubt.proposal }} />}
    </Part>
  );
}

function Compared({
  title,
  pair,
  hasRun,
}: {
  readonly title: string;
  readonly pair: Pair;
  readonly hasRun: boolean;
}) {
  const { before, after } = pair;
  if (!hasRun || (after === null && before !== null)) {
    return (
      <Part title={title}>
        <Conversation text={before ?? ''} />
      </Part>
    );
  }
  if (before === null || before === after) {
    return (
      <Part title={`${title}, ${before === null ? 'written by the run' : 'unchanged'}`}>
        <Conversation text={after ?? ''} />
      </Part>
    );
  }
  return (
    <Part title={title}>
      <Differences before={before} after={after ?? ''} bounds={THOROUGH} />
    </Part>
  );
}

/** `prompt` or `response`, of whose safety a cell tells. */
const side = ({ column }: Cell): string => words(column.replace(/_safety_issues$/, ''));

/** Why a text has no safety scores, in words. */
function notScoredWords(reason: string): string {
  if (reason === 'language') return 'nothing that scores safety reads its language';
  if (reason === 'reviewed') return 'a reviewer wrote it after the run';
  return reason === 'not_selected' ? 'the run did not select this row' : words(reason);
}

function Safety({ cells }: { readonly cells: readonly Cell[] }) {
  const read = cells.map((cell) => ({ cell, safety: safetyOf(cell.text) }));
  const unread = read.filter(({ safety }) => safety === null).map(({ cell }) => cell);
  const scored = read.flatMap(({ cell, safety }) => (safety === null ? [] : [{ cell, ...safety }]));
  const categories = [...new Set(scored.flatMap(({ findings }) => findings.map(({ category }) => category)))];
  return (
    <Part title="Safety">
      {categories.length === 0 ? null : (
        <TableFrame label="Safety scores">
          <thead>
            <tr>
              <th scope="col">Category, 0 to 1</th>
              {scored.map(({ cell }) => (
                <th key={cell.column} scope="col" className="number">
                  {side(cell)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {categories.map((category) => (
              <tr key={category}>
                <th scope="row">{words(category)}</th>
                {scored.map(({ cell, findings }) => {
                  const score = findings.find((each) => each.category === category)?.score ?? null;
                  const isIssue = score !== null && score >= SAFETY_ISSUE_MIN;
                  return (
                    <td key={cell.column} className="number">
                      {isIssue ? <State value="failed" label="issue" /> : null}{' '}
                      {score === null ? 'not scored' : number(score)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </TableFrame>
      )}
      {scored.map(({ cell, notScored }) =>
        notScored === null ? null : (
          <p key={cell.column} className="hint">
            The {side(cell)} has no scores: {notScoredWords(notScored)}.
          </p>
        ),
      )}
      <Cells title="" cells={unread} />
    </Part>
  );
}

function Sources({ sources }: { readonly sources: Row['sources'] }) {
  return (
    <Part title="Sources">
      <ul className="row-notes">
        {sources.map(({ title, url }, index) => (
          // A source may be named twice.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <li key={index}>
            {isWebAddress(url) ? (
              <>
                <a href={url} target="_blank" rel="noreferrer noopener" dir="auto">
                  <MarkedText text={title === '' ? url : title} />
                </a>{' '}
                <span className="quiet">{new URL(url).host}</span>
              </>
            ) : (
              <>
                <MarkedText text={title} /> <code>{<MarkedText text={url} />}</code>
              </>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Cells({ title, cells }: { readonly title: string; readonly cells: readonly Cell[] }) {
  if (cells.length === 0) return null;
  const list = (
    <dl className="row-cells">
      {cells.map(({ column, text, truncated }, index) => (
        // Long names of columns are cut, and may then be the same.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div key={index}>
          <dt dir="auto">
            <MarkedText text={column} />
          </dt>
          <dd>
            <RowText text={text} />
            {truncated ? <span className="hint">This is the beginning of the text.</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
  return title === '' ? list : <Part title={title}>{list}</Part>;
}
