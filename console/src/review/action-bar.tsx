import { count } from '../format.ts';
import { ALIKE_KEY, KEYS, type ReviewAction } from './keys.ts';

/** A key as it stands on a button. */
export function Key({ name }: { readonly name: string }) {
  return <kbd>{name}</kbd>;
}

/** Buttons for what can be done with the row, each with its key. */
export function ActionBar({
  canDo,
  hasKeys,
  left,
  onAction,
}: {
  readonly canDo: (action: ReviewAction) => boolean;
  /** Whether keys of one letter do anything. */
  readonly hasKeys: boolean;
  /** Rows left that are worth a look. */
  readonly left: number;
  readonly onAction: (action: ReviewAction) => void;
}) {
  return (
    <section className="review-bar" aria-label="What to do with this row">
      {KEYS.map(({ action, key, label }) => (
        <button
          key={action}
          type="button"
          className={`review-action review-action-${action}`}
          // A button that is disabled would lose the focus.
          aria-disabled={!canDo(action)}
          {...(hasKeys ? { 'aria-keyshortcuts': key } : {})}
          onClick={() => {
            if (canDo(action)) onAction(action);
          }}
        >
          <span>{label}</span> {hasKeys ? <Key name={key} /> : null}
        </button>
      ))}
      <span className="review-bar-left" aria-hidden="true">
        {count(left)} left
      </span>
    </section>
  );
}

/** The keys of the page, for the list of them. */
export const LISTED_KEYS = [
  ...KEYS,
  {
    action: 'alike',
    key: ALIKE_KEY,
    label: 'Rows alike',
    meaning: 'Shows rows with the same defect, where there are some.',
  },
] as const;
