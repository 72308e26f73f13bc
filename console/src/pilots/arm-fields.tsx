import { useId } from 'react';
import { Choice, LENGTHS } from '../adapt/controls.tsx';
import type { Length } from '../adapt/settings.ts';
import { Field } from '../ui/parts.tsx';
import { type ArmDraft, NAME_CHARACTERS_MAX } from './arms.ts';

/** The fields of one arm. */
export function ArmFields(props: {
  readonly number: number;
  readonly arm: ArmDraft;
  readonly problem: string | undefined;
  readonly onChange: (changes: Partial<ArmDraft>) => void;
  /** Missing for the only arm. */
  readonly onRemove: (() => void) | undefined;
}) {
  const { number, arm, problem, onChange, onRemove } = props;
  const id = useId();
  return (
    <fieldset aria-describedby={problem === undefined ? undefined : `${id}-problem`}>
      <legend>Arm {number}</legend>
      <div className="stack">
        <div className="columns">
          <Field label="Name" hint={`To find it in the result. Empty: Arm ${number}.`}>
            {(control) => (
              <input
                {...control}
                value={arm.name}
                maxLength={NAME_CHARACTERS_MAX}
                onChange={(event) => onChange({ name: event.target.value })}
              />
            )}
          </Field>
          <Field label="Length" hint="How long answers are to be.">
            {(control) => (
              <select
                {...control}
                value={arm.length}
                onChange={(event) => onChange({ length: event.target.value as Length | '' })}
              >
                {LENGTHS.map(({ value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Prompts" hint="By default they are rephrased where a prompt column is mapped.">
            {(control) => (
              <select
                {...control}
                value={arm.rephrase}
                onChange={(event) => onChange({ rephrase: event.target.value as ArmDraft['rephrase'] })}
              >
                <option value="">By default</option>
                <option value="yes">Rephrase</option>
                <option value="no">Leave as they are</option>
              </select>
            )}
          </Field>
        </div>
        <div className="adapt-choices">
          <Choice
            label="Reasoning traces"
            hint="A column with the steps to each answer."
            checked={arm.reasoningTraces}
            onChange={(reasoningTraces) => onChange({ reasoningTraces })}
          />
          <Choice
            label="Preference pairs"
            hint="A better and a worse answer of each row."
            checked={arm.preferencePairs}
            onChange={(preferencePairs) => onChange({ preferencePairs })}
          />
        </div>
        <Field
          label="Blueprint"
          hint="What makes a good answer here: the system prompt of every new answer; up to 20,000 characters."
        >
          {(control) => (
            <textarea
              {...control}
              maxLength={20_000}
              value={arm.blueprint}
              onChange={(event) => onChange({ blueprint: event.target.value })}
            />
          )}
        </Field>
        {problem === undefined ? null : (
          <p id={`${id}-problem`} className="hint hint-bad" role="status">
            {problem}
          </p>
        )}
        {onRemove === undefined ? null : (
          <div>
            <button type="button" onClick={onRemove}>
              Remove arm {number}
            </button>
          </div>
        )}
      </div>
    </fieldset>
  );
}
