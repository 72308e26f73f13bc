import { useId } from 'react';
import { LENGTHS } from '../adapt/controls.tsx';
import { Choice, SelectField, TextAreaField, TextField } from '../ui/fields.tsx';
import { type ArmDraft, NAME_CHARACTERS_MAX } from './arms.ts';

const REPHRASES: readonly { readonly value: ArmDraft['rephrase']; readonly label: string }[] = [
  { value: '', label: 'By default' },
  { value: 'yes', label: 'Rephrase' },
  { value: 'no', label: 'Leave as they are' },
];

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
          <TextField
            label="Name"
            hint={`To find it in the result. Empty: Arm ${number}.`}
            value={arm.name}
            maxLength={NAME_CHARACTERS_MAX}
            onChange={(name) => onChange({ name })}
          />
          <SelectField
            label="Length"
            hint="How long answers are to be."
            options={LENGTHS}
            value={arm.length}
            onChange={(length) => onChange({ length })}
          />
          <SelectField
            label="Prompts"
            hint="By default they are rephrased where a prompt column is mapped."
            options={REPHRASES}
            value={arm.rephrase}
            onChange={(rephrase) => onChange({ rephrase })}
          />
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
        <TextAreaField
          label="Blueprint"
          hint="What makes a good answer here: the system prompt of every new answer; up to 20,000 characters."
          maxLength={20_000}
          value={arm.blueprint}
          onChange={(blueprint) => onChange({ blueprint })}
        />
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
