import { Choice } from '../ui/fields.tsx';
import { Dialog } from '../ui/parts.tsx';
import { Key, LISTED_KEYS } from './action-bar.tsx';

/** The list of keys, and whether they do anything: who speaks to the machine may not want them. */
export function KeysDialog({
  hasKeys,
  onHasKeys,
  onClose,
}: {
  readonly hasKeys: boolean;
  readonly onHasKeys: (hasKeys: boolean) => void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="review-keys">
        {LISTED_KEYS.map(({ action, key, label, meaning }) => (
          <div key={action}>
            <dt>
              <Key name={key} /> {label}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <Choice
        label="Use these keys"
        hint="Without them the buttons do the same."
        checked={hasKeys}
        onChange={onHasKeys}
      />
      <div className="dialog-foot">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
