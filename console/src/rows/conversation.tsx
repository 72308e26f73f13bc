import { MarkedText, RowText } from '../ui/row-text.tsx';
import { turnsOf } from './row-view.ts';
import './rows.css';

/** A text, or the turns of a conversation. */
export function Conversation({ text }: { readonly text: string }) {
  const turns = turnsOf(text);
  if (turns === null) {
    return (
      <div className="row-block">
        <RowText text={text} />
      </div>
    );
  }
  return (
    <ol className="turns">
      {turns.map((turn, index) => (
        // Turns have nothing of their own but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <li key={index} className="row-block">
          <h4>
            <MarkedText text={turn.role} limit={10} />
          </h4>
          {turn.text === '' && turn.calls.length > 0 ? null : <RowText text={turn.text} />}
          {turn.calls.map((call, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <div key={place} className="turn-call">
              <strong>
                calls <MarkedText text={call.name} limit={60} />
              </strong>
              <RowText text={call.arguments} />
            </div>
          ))}
        </li>
      ))}
    </ol>
  );
}
