import { type RefObject, useEffect, useRef, useState } from 'react';
import { TunesmithError } from 'tunesmith';
import type { DatasetRecord, DatasetStatus } from '../datasets/dataset.tsx';
import { count, plural } from '../format.ts';
import { useAccount } from '../queries.ts';
import { go as goTo, hrefOf, useRoute } from '../route.ts';
import { integerOf } from '../rows/filters.ts';
import { doubtWords } from '../ui/doubt-words.ts';
import { Empty, Failure, Loading } from '../ui/parts.tsx';
import { ActionBar, Key } from './action-bar.tsx';
import { AlikeDialog, type Offer } from './alike.tsx';
import { ApplyDialog, MadeVersion } from './apply.tsx';
import { Editor } from './editor.tsx';
import { errorWords } from './error-words.ts';
import { GradeBar } from './grade-bar.tsx';
import { ALIKE_KEY, actionOf, type ReviewAction } from './keys.ts';
import { KeysDialog } from './keys-dialog.tsx';
import { isSettled, openCount, type Seen, shownOf, skippedCount } from './review-list.ts';
import { RowCard } from './row-card.tsx';
import { SavedState, SendingProblems } from './sending.tsx';
import { useOffers } from './use-offers.ts';
import { type ReviewState, useReview } from './use-review.ts';
import { givenWords, leftWords, lookWords, recordWords, verdictsWords } from './words.ts';
import './review.css';

interface ReviewProps {
  readonly dataset: Pick<DatasetRecord, 'dataset_id'>;
  readonly status: Pick<DatasetStatus, 'status' | 'row_count'>;
}

/** The review of a dataset: one row at a time, most worth a look first, with verdicts by key. The address has what was made. */
export default function ReviewPage(props: ReviewProps) {
  return <ReviewOf {...props} made={integerOf(useRoute().query.get('made'))} />;
}

/** The page of what the address says. */
export function ReviewOf({
  dataset,
  status,
  made,
}: ReviewProps & {
  /** Version that was made of verdicts a moment ago; null if there is none. */
  readonly made: number | null;
}) {
  if (status.row_count === null) {
    return (
      <Empty title="No rows yet">
        <p>
          {status.status === 'failed'
            ? 'The file could not be read, so there are no rows to review. The overview says why.'
            : 'Rows can be reviewed as soon as the file is read.'}
        </p>
      </Empty>
    );
  }
  return <Reviewed datasetId={dataset.dataset_id} status={status} made={made} />;
}

/** Says why there is nothing to review, where that is no fault. */
function NoReview({
  datasetId,
  error,
  retry,
}: {
  readonly datasetId: string;
  readonly error: unknown;
  readonly retry: () => void;
}) {
  if (error instanceof TunesmithError && error.code === 'column_mapping_required') {
    return (
      <Empty title="Nothing to review yet">
        <p>{error.message}</p>
        <a className="button primary" href={hrefOf(['datasets', datasetId, 'adapt'])}>
          Adapt the dataset
        </a>
      </Empty>
    );
  }
  return <Failure error={error} retry={retry} />;
}

/** Which dialog is open. */
type Opened =
  | { readonly kind: 'keys' }
  | { readonly kind: 'apply' }
  | { readonly kind: 'alike'; readonly offer: Offer };

function Reviewed({
  datasetId,
  status,
  made,
}: {
  readonly datasetId: string;
  readonly status: Pick<DatasetStatus, 'status'>;
  readonly made: number | null;
}) {
  const state = useReview(datasetId, status.status);
  const work = useWork(datasetId, state);
  const { review, list, summary } = state;
  if (list.rows.length === 0 && review.isError) {
    return <NoReview datasetId={datasetId} error={review.error} retry={() => review.refetch()} />;
  }
  if (summary === null) return <Loading what="the review" />;
  return (
    <div className="review">
      <Head state={state} onApply={() => work.open({ kind: 'apply' })} />
      {made === null ? null : <MadeVersion datasetId={datasetId} version={made} status={status} />}
      <Notices state={state} work={work} />
      <p role="status" className="visually-hidden">
        {work.said}
      </p>
      <div ref={work.stage} tabIndex={-1} className="review-stage">
        <Stage datasetId={datasetId} state={state} work={work} />
      </div>
      <div className="review-foot">
        <Offered work={work} />
        <ActionBar
          canDo={work.canDo}
          hasKeys={work.hasKeys}
          left={summary.worth_a_look}
          onAction={work.act}
        />
      </div>
      <Opened datasetId={datasetId} state={state} work={work} />
    </div>
  );
}

function Head({ state, onApply }: { readonly state: ReviewState; readonly onApply: () => void }) {
  const { summary, look, sending } = state;
  if (summary === null) return null;
  const { verdicts, worth_a_look: left } = summary;
  const said = verdicts.right + verdicts.wrong + verdicts.mended;
  return (
    <div className="card review-head">
      <div className="review-counts">
        <p role="status" className="review-left">
          {leftWords(left)}
        </p>
        <p>{verdictsWords(verdicts)}</p>
        <p>
          <SavedState unsent={sending.unsent} problem={sending.problem} />
        </p>
        <button
          type="button"
          aria-disabled={said === 0}
          onClick={() => {
            if (said > 0) onApply();
          }}
        >
          Make a version of these verdicts
        </button>
      </div>
      <GradeBar grade={summary.grade} />
      {look === null ? null : (
        <p className="hint" role="status">
          {lookWords(look)}
        </p>
      )}
      {summary.witnesses.map((each) => (
        <p className="hint" key={`${each.witness} ${each.kind}`}>
          {recordWords(each)}
        </p>
      ))}
    </div>
  );
}

/** What the page does with what the reader does. */
function useWork(datasetId: string, state: ReviewState) {
  const { list } = state;
  const [opened, setOpened] = useState<Opened | null>(null);
  const [hasKeys, setHasKeys] = useState(true);
  const [isEditing, setEditing] = useState(false);
  const [said, setSaid] = useState('');
  const drafts = useRef(new Map<string, string>());
  const stage = useRef<HTMLDivElement>(null);
  const offers = useOffers(datasetId, (row) => isSettled(list, row));
  /** Rows that were mended one by one: those alike are looked for once their verdict is recorded. */
  const mended = useRef(new Set<string>());
  const { lookFor, forget } = offers;
  const { outbox } = state;
  useEffect(
    () =>
      outbox.listen((answer, sent) => {
        for (const { row, content_hash, verdict } of sent) {
          if (verdict !== 'mended') forget(row);
          else if (mended.current.delete(`${row} ${content_hash}`) && !answer.stale.includes(row)) {
            void lookFor(row);
          }
        }
      }),
    [outbox, lookFor, forget],
  );
  const account = useAccount();
  const mayWrite = account.data?.scopes.includes('datasets:write') ?? true;
  const shown = shownOf(list);
  const canDo = (action: ReviewAction): boolean => isPossible(action, { state, shown, mayWrite, offers });
  const mend = (seen: Seen, completion: string): void => {
    state.judge({ verdict: 'mended', completion });
    mended.current.add(keyOf(seen));
    setEditing(false);
    setSaid('Mended.');
  };
  /** What moves on to another row, or gives a verdict. */
  const go = (action: keyof typeof DONE): void => {
    setEditing(false);
    if (action === 'right' || action === 'wrong') state.judge({ verdict: action, completion: null });
    else if (action === 'skip') state.skip();
    else if (action === 'undo') state.undo();
    else state.step(action === 'next' ? 1 : -1);
    setSaid(DONE[action]);
  };
  const act = (action: ReviewAction): void => {
    const [offer] = offers.offers;
    if (action === 'keys') setOpened({ kind: 'keys' });
    else if (action === 'edit') setEditing(true);
    else if (action === 'alike') {
      if (offer !== undefined) setOpened({ kind: 'alike', offer });
    } else if (action !== 'take') go(action);
    else if (shown !== null && shown.row.proposal !== null) mend(shown, shown.row.proposal);
  };
  useKeys(hasKeys && opened === null && !isEditing, canDo, act, stage);
  useShown(shown, isEditing, stage);
  return {
    opened,
    open: setOpened,
    close: () => setOpened(null),
    hasKeys,
    setHasKeys,
    isEditing,
    stopEditing: () => setEditing(false),
    said: `${said} ${shown === null ? '' : shownWords(shown)}`.trim(),
    drafts: drafts.current,
    stage,
    offers,
    mayWrite,
    mend,
    canDo,
    act,
  };
}

type Work = ReturnType<typeof useWork>;

const DONE: Readonly<Record<'right' | 'wrong' | 'skip' | 'undo' | 'previous' | 'next', string>> = {
  right: 'Right.',
  wrong: 'Wrong.',
  skip: 'Skipped.',
  undo: 'Taken back.',
  previous: '',
  next: '',
};

/** What tells a row as it was seen from all others. */
const keyOf = ({ row: { row, content_hash } }: Seen): string => `${row} ${content_hash}`;

const isTakeable = ({ row: { proposal, completion } }: Seen): boolean =>
  proposal !== null && proposal !== completion;

/** `Row 18, probably wrong, 82 %.` */
const shownWords = ({ row, given }: Seen): string =>
  [
    `Row ${count(row.row)}`,
    ...(row.doubt === null ? [] : [doubtWords(row.doubt)]),
    ...(given === null ? [] : [`your verdict: ${givenWords(given)}`]),
  ].join(', ');

function isPossible(
  action: ReviewAction,
  {
    state: { list },
    shown,
    mayWrite,
    offers,
  }: {
    readonly state: ReviewState;
    readonly shown: Seen | null;
    readonly mayWrite: boolean;
    readonly offers: ReturnType<typeof useOffers>;
  },
): boolean {
  switch (action) {
    case 'keys':
      return true;
    case 'alike':
      return mayWrite && offers.offers.length > 0;
    case 'undo':
      return list.deeds.length > 0;
    case 'previous':
      return list.at > 0;
    case 'next':
    case 'skip':
      return shown !== null;
    case 'take':
      return mayWrite && shown !== null && !shown.isStale && isTakeable(shown);
    default:
      return mayWrite && shown !== null && !shown.isStale;
  }
}

const TYPING = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]';

/** Does what keys of one letter say, wherever the focus is but where keys are typed. */
function useKeys(
  isOn: boolean,
  canDo: Work['canDo'],
  act: Work['act'],
  stage: RefObject<HTMLDivElement | null>,
): void {
  const latest = useRef({ canDo, act });
  latest.current = { canDo, act };
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.target instanceof Element && event.target.closest(TYPING) !== null) return;
      if (document.querySelector('dialog[open]') !== null) return;
      const action = actionOf(event);
      if (action === null || !latest.current.canDo(action)) return;
      event.preventDefault();
      latest.current.act(action);
      // Dialogs and the editor take the focus by themselves.
      if (action !== 'keys' && action !== 'alike' && action !== 'edit')
        stage.current?.focus({ preventScroll: true });
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isOn, stage]);
}

/** Share of the window's height below which a row begins too low to be read. */
const LOW = 0.45;

/** Shows the beginning of each new row, and gives the focus back that the editor had. */
function useShown(shown: Seen | null, isEditing: boolean, stage: RefObject<HTMLDivElement | null>): void {
  const key = shown === null ? null : keyOf(shown);
  const before = useRef({ key, isEditing });
  useEffect(() => {
    const { current } = stage;
    if (current === null) return;
    if (before.current.isEditing && !isEditing) current.focus({ preventScroll: true });
    const { top } = current.getBoundingClientRect();
    if (before.current.key !== key && before.current.key !== null && (top < 0 || top > innerHeight * LOW)) {
      current.scrollIntoView({ block: 'start' });
    }
    before.current = { key, isEditing };
  }, [key, isEditing, stage]);
}

interface PartProps {
  readonly state: ReviewState;
  readonly work: Work;
}

/** What is to be known beside the row: rows that changed, what is not saved. */
function Notices({ state, work }: PartProps) {
  const { failed, forgetFailed, lookFor } = work.offers;
  const { stale, review } = state;
  return (
    <>
      {work.mayWrite ? null : (
        <p className="notice notice-warn">
          This key may read the review. Verdicts need the scope datasets:write.
        </p>
      )}
      <SendingProblems state={state.sending} outbox={state.outbox} />
      {state.list.rows.length > 0 && review.isError ? (
        <Failure error={review.error} retry={() => review.refetch()} />
      ) : null}
      {stale.length === 0 ? null : (
        <div className="notice notice-warn" role="status">
          <p>
            {stale.length === 1 ? 'Row' : 'Rows'} {stale.map(count).join(', ')}{' '}
            {stale.length === 1 ? 'has' : 'have'} changed since you saw {stale.length === 1 ? 'it' : 'them'}.
            The {stale.length === 1 ? 'verdict was' : 'verdicts were'} not recorded;{' '}
            {stale.length === 1 ? 'it comes' : 'they come'} again as{' '}
            {stale.length === 1 ? 'it is' : 'they are'} now.
          </p>
          <p className="notice-foot">
            <button type="button" onClick={state.forgetStale}>
              Close
            </button>
          </p>
        </div>
      )}
      {failed === null ? null : (
        <div className="notice" role="status">
          <p>
            Rows alike with row {count(failed.row)} were not found: {errorWords(failed.error)}
          </p>
          <p className="notice-foot">
            <button type="button" onClick={() => lookFor(failed.row)}>
              Look for them again
            </button>
            <button type="button" onClick={forgetFailed}>
              Close
            </button>
          </p>
        </div>
      )}
    </>
  );
}

/** The newest offer of rows alike. It stands beside the buttons, so that it moves no row. */
function Offered({ work }: { readonly work: Work }) {
  const [offer] = work.offers.offers;
  return (
    <div role="status">
      {offer === undefined ? null : (
        <div className="review-offer">
          <span>
            <strong>{plural(offer.rows.length, 'row')} alike</strong> with row {count(offer.row)}
          </span>
          <button type="button" onClick={() => work.act('alike')}>
            Look at {offer.rows.length === 1 ? 'it' : 'them'} {work.hasKeys ? <Key name={ALIKE_KEY} /> : null}
          </button>
        </div>
      )}
    </div>
  );
}

/** The row that is looked at, with its editor; or what is to be done where there is none. */
function Stage({ datasetId, state, work }: PartProps & { readonly datasetId: string }) {
  const { list, review, isAtEnd } = state;
  const shown = shownOf(list);
  // After the last row, what changed meanwhile may come again.
  const isAwaited = review.isFetching && skippedCount(list) + openCount(list) === 0;
  if (shown === null) {
    return (isAtEnd && !isAwaited) || review.isError ? (
      <NoneLeft datasetId={datasetId} state={state} />
    ) : (
      <Loading what="the next rows" />
    );
  }
  const key = keyOf(shown);
  return (
    <RowCard key={key} datasetId={datasetId} seen={shown}>
      {work.isEditing ? (
        <Editor
          row={shown.row}
          draft={work.drafts.get(key)}
          onSave={(completion) => {
            work.drafts.delete(key);
            work.mend(shown, completion);
          }}
          onDraft={(draft) => work.drafts.set(key, draft)}
          onLeave={work.stopEditing}
        />
      ) : null}
    </RowCard>
  );
}

function NoneLeft({ datasetId, state }: { readonly datasetId: string; readonly state: ReviewState }) {
  const { list, takeUpSkipped } = state;
  const skipped = skippedCount(list);
  const passed = openCount(list);
  if (skipped + passed === 0) {
    return (
      <Empty title="Nothing left to look at">
        <p>Every row that the review offers has a verdict. Make a version of them, or look at all rows.</p>
        <a className="button" href={hrefOf(['datasets', datasetId, 'rows'])}>
          Look at the rows
        </a>
      </Empty>
    );
  }
  return (
    <Empty title="The end of the review">
      <p>
        {skipped > 0 ? `${plural(skipped, 'row')} skipped. ` : ''}
        {passed > 0 ? `${plural(passed, 'row')} without a verdict.` : ''}
      </p>
      <button type="button" className="primary" onClick={takeUpSkipped}>
        Look at {skipped + passed === 1 ? 'it' : 'them'} again
      </button>
    </Empty>
  );
}

/** The dialog that is open. */
function Opened({ datasetId, state, work }: PartProps & { readonly datasetId: string }) {
  const { opened, close } = work;
  if (opened === null) return null;
  if (opened.kind === 'keys') {
    return <KeysDialog hasKeys={work.hasKeys} onHasKeys={work.setHasKeys} onClose={close} />;
  }
  if (opened.kind === 'alike') {
    const leave = (): void => {
      work.offers.forget(opened.offer.row);
      close();
    };
    return (
      <AlikeDialog
        offer={opened.offer}
        onAccept={(accepted) => {
          state.accept(accepted);
          leave();
        }}
        onClose={leave}
      />
    );
  }
  return state.summary === null ? null : (
    <ApplyDialog
      datasetId={datasetId}
      verdicts={state.summary.verdicts}
      unsent={state.sending.unsent.length}
      onClose={close}
      onLaunched={({ version }) => {
        close();
        goTo(hrefOf(['datasets', datasetId, 'review'], { made: version }), { replace: true });
      }}
    />
  );
}
