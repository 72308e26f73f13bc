import { useState } from 'react';
import { Dialog } from '../ui/parts.tsx';
import { MarkedText } from '../ui/row-text.tsx';
import type { ApprovalRequest } from './answer.ts';
import { readableJson } from './answers.tsx';
import type { Decision } from './request.ts';

/** Shows each call of a tool that a model asks for, exactly as it would be made, and lets a person allow or refuse it. */
export function ApprovalDialog(props: {
  readonly model: string;
  readonly requests: readonly ApprovalRequest[];
  readonly onDecided: (decisions: readonly Decision[]) => void;
  /** Leaves the calls undecided. */
  readonly onClose: () => void;
}) {
  const { requests } = props;
  const [decisions, setDecisions] = useState<readonly Decision[]>([]);
  const request = requests[decisions.length];
  if (request === undefined) return null;
  const decide = (isApproved: boolean): void => {
    const made = [...decisions, { requestId: request.id, isApproved }];
    setDecisions(made);
    if (made.length === requests.length) props.onDecided(made);
  };
  return (
    <Dialog title="Allow this call of a tool?" onClose={props.onClose}>
      <div className="stack">
        {requests.length === 1 ? null : (
          <p className="quiet" role="status">
            Call {decisions.length + 1} of {requests.length}
          </p>
        )}
        <p>
          <strong dir="auto">{props.model}</strong> asks to call{' '}
          <code dir="auto">
            <MarkedText text={request.name} />
          </code>{' '}
          of the server{' '}
          <strong dir="auto">
            <MarkedText text={request.server} />
          </strong>{' '}
          with:
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by the keyboard */}
        <section className="arguments" aria-label="Arguments of the call" tabIndex={0}>
          <pre dir="auto">
            <MarkedText text={readableJson(request.arguments)} />
          </pre>
        </section>
        <p className="hint">
          Only this call with these arguments is made, once. What the tool answers is sent to the model.
        </p>
      </div>
      <div className="dialog-foot">
        <button type="button" className="plain" onClick={props.onClose}>
          Decide later
        </button>
        <button type="button" className="danger" onClick={() => decide(false)}>
          Refuse
        </button>
        <button type="button" className="primary" onClick={() => decide(true)}>
          Allow
        </button>
      </div>
    </Dialog>
  );
}
