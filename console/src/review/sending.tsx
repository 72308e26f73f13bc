import { useEffect, useState } from 'react';
import { count, plural } from '../format.ts';
import { Failure } from '../ui/parts.tsx';
import { errorWords } from './error-words.ts';
import type { Outbox, OutboxState } from './outbox.ts';

/** Milliseconds that verdicts may be under way before the page says so: most are recorded sooner. */
const LATE_MS = 700;

/** Whether something lasts for longer than it mostly does. */
function useIsLate(lasts: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!lasts) return setLate(false);
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, [lasts]);
  return isLate && lasts;
}

/**
 * Whether all verdicts are saved, in a few words. It is said aloud only where that takes long, and once it is over: else
 * each verdict would be heard three times.
 */
export function SavedState({ unsent, problem }: Pick<OutboxState, 'unsent' | 'problem'>) {
  const isLate = useIsLate(unsent.length > 0);
  const [wasLate, setWasLate] = useState(false);
  useEffect(() => {
    if (isLate) setWasLate(true);
  }, [isLate]);
  const words =
    unsent.length === 0
      ? 'All saved.'
      : problem === null
        ? `Saving ${plural(unsent.length, 'verdict')} …`
        : `${plural(unsent.length, 'verdict')} not saved yet.`;
  return (
    <>
      <span className="quiet" aria-hidden="true">
        {words}
      </span>
      <span role="status" className="visually-hidden">
        {isLate || (wasLate && unsent.length === 0) ? words : ''}
      </span>
    </>
  );
}

/** What keeps verdicts from being saved, and what can be done about it. */
export function SendingProblems({
  state: { unsent, problem, refused },
  outbox,
}: {
  readonly state: OutboxState;
  readonly outbox: Pick<Outbox, 'sendNow' | 'drop' | 'forgetRefused'>;
}) {
  return (
    <>
      {problem === null ? null : problem.isRepeated ? (
        <div className="notice notice-warn">
          <p>
            <strong>{errorWords(problem.error)}</strong> {plural(unsent.length, 'verdict')}{' '}
            {unsent.length === 1 ? 'waits' : 'wait'} and {unsent.length === 1 ? 'is' : 'are'} sent again. Go
            on; keep this tab open.
          </p>
          <p className="notice-foot">
            <button type="button" onClick={() => outbox.sendNow()}>
              Send now
            </button>
          </p>
        </div>
      ) : (
        <div className="stack">
          <Failure error={problem.error} retry={() => outbox.sendNow()} />
          <p className="line">
            {plural(unsent.length, 'verdict')} {unsent.length === 1 ? 'was' : 'were'} not saved.
            <button type="button" onClick={() => outbox.drop()}>
              Drop {unsent.length === 1 ? 'it' : 'them'}
            </button>
          </p>
        </div>
      )}
      {refused.length === 0 ? null : (
        <div className="notice notice-bad" role="alert">
          <p>The service did not take these verdicts:</p>
          <ul>
            {refused.map(({ verdict, error }) => (
              <li key={`${verdict.row} ${verdict.content_hash} ${verdict.verdict}`}>
                Row {count(verdict.row)}: {errorWords(error)}
              </li>
            ))}
          </ul>
          <p className="notice-foot">
            <button type="button" onClick={() => outbox.forgetRefused()}>
              Close
            </button>
          </p>
        </div>
      )}
    </>
  );
}
