import { useInfiniteQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { dataOf } from 'tunesmith';
import { useApi, usePolling } from '../api.tsx';
import { count, plural } from '../format.ts';
import { hrefOf } from '../route.ts';
import { DiffText } from '../rows/diff-text.tsx';
import { AnswerBox, AnswerColumns, CutText } from '../ui/answer-box.tsx';
import { Failure, Loading, Section, ShowMore, State } from '../ui/parts.tsx';
import { MarkedText } from '../ui/row-text.tsx';
import { NumberedArm } from './arms-table.tsx';
import { markedAnswer, nextOffset, type PilotRow, type RowAnswer, reasonOf, stateOf } from './row-answers.ts';
import { isActive, type Pilot } from './words.ts';

/** The rows of the sample: the original and the answers of all arms side by side, with verdicts and reasons. */
export function PilotRows({ pilot }: { readonly pilot: Pilot }) {
  const list = usePilotRows(pilot);
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const total = list.data?.pages.at(-1)?.total ?? 0;
  return (
    <Section
      title="Rows"
      note="Each verdict holds an answer against the original one. In answers that keep most of the original, new words are marked."
    >
      {list.isError ? <Failure error={list.error} retry={() => list.refetch()} /> : null}
      {list.isPending ? <Loading what="the rows" /> : null}
      {list.isSuccess ? (
        <p className="hint" role="status">
          {total === 0
            ? isActive(pilot)
              ? 'The rows are shown here once the first of them are done.'
              : 'No row was done.'
            : rows.length < total
              ? `${count(rows.length)} of ${plural(total, 'row')}`
              : plural(total, 'row')}
        </p>
      ) : null}
      {rows.map((row) => (
        <OneRow key={row.row} datasetId={pilot.dataset_id} arms={pilot.arms} row={row} />
      ))}
      <ShowMore of={list} />
    </Section>
  );
}

/** The rows, asked for again while the pilot is active, and once more when it has ended. */
function usePilotRows(pilot: Pilot) {
  const { client } = useApi();
  const { dataset_id, pilot_id, status } = pilot;
  const refetchInterval = usePolling(() => isActive(pilot));
  return useInfiniteQuery({
    queryKey: ['pilots', dataset_id, pilot_id, 'rows', status],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        client.GET('/api/v1/datasets/{dataset_id}/pilots/{pilot_id}/rows', {
          signal,
          params: { path: { dataset_id, pilot_id }, query: { offset: pageParam } },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: (_, pages) => nextOffset(pages),
    placeholderData: (earlier) => earlier,
    refetchInterval,
  });
}

/** Remembered: its words are compared once, however often the pilot is asked for again. */
const OneRow = memo(function OneRow({
  datasetId,
  arms,
  row: { row, request, original, answers },
}: {
  readonly datasetId: string;
  readonly arms: Pilot['arms'];
  readonly row: PilotRow;
}) {
  return (
    <article className="card stack" aria-label={`Row ${count(row)}`}>
      <h3>
        <a href={hrefOf(['datasets', datasetId, 'rows'], { row })}>Row {count(row)}</a>
      </h3>
      {request === null ? null : <CutText of={request} />}
      {answers.length === 0 ? (
        <p className="quiet">No arm has done this row.</p>
      ) : (
        <AnswerColumns>
          <AnswerBox title="Original">
            {original === null ? <p className="quiet">No answer</p> : <CutText of={original} />}
          </AnswerBox>
          {answers.map((answer) => (
            <AnswerBox key={answer.arm} title={<NumberedArm arms={arms} number={answer.arm} />}>
              <ArmAnswer of={answer} original={original} />
            </AnswerBox>
          ))}
        </AnswerColumns>
      )}
    </article>
  );
});

/** What an arm did with a row, why, and its answer. */
function ArmAnswer({ of, original }: { readonly of: RowAnswer; readonly original: PilotRow['original'] }) {
  const { outcome, answer } = of;
  const reason = reasonOf(of);
  const marked = answer === null ? null : markedAnswer(original, answer);
  return (
    <div className="stack">
      <p>
        <State {...stateOf(of)} />
      </p>
      {reason === null ? null : (
        <p className="hint" dir="auto">
          <MarkedText text={reason} />
        </p>
      )}
      {outcome === 'kept' ? (
        <p className="quiet">The same answer</p>
      ) : answer === null ? null : marked === null ? (
        <CutText of={answer} />
      ) : (
        <p className="text" dir="auto">
          <DiffText pieces={marked} />
        </p>
      )}
    </div>
  );
}
