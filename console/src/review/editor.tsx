import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { TextAreaField } from '../ui/fields.tsx';
import type { ReviewRow } from './contract.ts';

/** What is wrong with an answer that was typed; undefined if nothing is. */
export function problemOfAnswer(
  text: string,
  { completion }: Pick<ReviewRow, 'completion'>,
): string | undefined {
  if (text.trim() === '') return 'Type the right answer.';
  return text === completion ? 'This is the answer as it is. If it is right, leave and press R.' : undefined;
}

/** Lines of the field: about as many as the text takes. */
const linesFor = (text: string): number =>
  Math.min(
    16,
    Math.max(
      4,
      text.split('\n').reduce((sum, line) => sum + Math.ceil((line.length + 1) / 80), 1),
    ),
  );

/** A field for the right answer of a row. Ctrl or Cmd with Enter saves it; Escape leaves it, and keeps what was typed. */
export function Editor({
  row,
  draft,
  onSave,
  onDraft,
  onLeave,
}: {
  readonly row: ReviewRow;
  /** What was typed before; undefined begins with the proposal, or else the answer. */
  readonly draft: string | undefined;
  readonly onSave: (completion: string) => void;
  /** Keeps what is typed, however the field is left. */
  readonly onDraft: (draft: string) => void;
  readonly onLeave: () => void;
}) {
  const { completion, proposal } = row;
  const [text, setText] = useState(draft ?? proposal ?? completion ?? '');
  const [isTried, setTried] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { current } = field;
    current?.focus({ preventScroll: true });
    current?.closest('.review-editor')?.scrollIntoView({ block: 'nearest' });
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const problem = problemOfAnswer(text, row);
  const type = (typed: string): void => {
    setText(typed);
    onDraft(typed);
  };
  const save = (): void => {
    if (problem === undefined) onSave(text);
    else setTried(true);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Keys that compose a letter are not the page's.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
    else if (event.key === 'Escape') onLeave();
    else return;
    event.preventDefault();
  };
  const begins = [
    ...(proposal === null ? [] : [{ label: 'Begin with the proposal', text: proposal }]),
    ...(completion === null ? [] : [{ label: 'Begin with the answer now', text: completion }]),
  ].filter((each) => each.text !== text);
  return (
    <div className="stack review-editor">
      <TextAreaField
        label="The right answer"
        hint="Ctrl or Cmd with Enter saves it, Escape leaves it."
        problem={isTried ? problem : undefined}
        ref={field}
        rows={linesFor(text)}
        dir="auto"
        value={text}
        onChange={type}
        onKeyDown={onKeyDown}
      />
      <div className="line">
        <button type="button" className="primary" onClick={save}>
          Save
        </button>
        <button type="button" onClick={onLeave}>
          Leave
        </button>
        {begins.map(({ label, text: begin }) => (
          <button
            key={label}
            type="button"
            className="plain"
            onClick={() => {
              type(begin);
              field.current?.focus();
            }}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
