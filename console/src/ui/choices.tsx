import { type ReactNode, useId } from 'react';
import { Field } from './parts.tsx';

/** A field with a list to choose one from. */
export function SelectField<Value extends string>(props: {
  readonly label: string;
  readonly hint: ReactNode;
  readonly problem?: string | undefined;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}) {
  const { options, value, onChange, ...field } = props;
  return (
    <Field {...field}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onChange(event.target.value as Value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A checkbox with its label and a sentence. */
export function Choice(props: {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly type?: 'checkbox' | 'radio';
  readonly name?: string;
  readonly onChange: (checked: boolean) => void;
}) {
  const { label, hint, problem, type = 'checkbox', onChange, ...input } = props;
  const id = useId();
  const isDescribed = hint !== undefined || problem !== undefined;
  return (
    <div className="choice">
      <input
        {...input}
        id={id}
        type={type}
        {...(isDescribed ? { 'aria-describedby': `${id}-hint` } : {})}
        aria-invalid={problem !== undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {isDescribed ? (
          <p id={`${id}-hint`} className={problem === undefined ? 'hint' : 'hint hint-bad'}>
            {problem ?? hint}
          </p>
        ) : null}
      </div>
    </div>
  );
}
