import { type ComponentProps, type ReactNode, useId } from 'react';

/** What is said of a field: its name, a sentence about it, and what is wrong with it. */
interface About {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
}

/** A field of a form with its label, a sentence about it, and what is wrong with it. */
export function Field(
  props: About & {
    /** Gets the id and the description of the control. */
    readonly children: (control: {
      id: string;
      'aria-describedby': string;
      'aria-invalid': boolean;
    }) => ReactNode;
  },
) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      {props.children({ id, 'aria-describedby': `${id}-hint`, 'aria-invalid': props.problem !== undefined })}
      <p id={`${id}-hint`} className={props.problem === undefined ? 'hint' : 'hint hint-bad'}>
        {props.problem ?? props.hint}
      </p>
    </div>
  );
}

/** A control as a form has it: its text, and what is told when that changes. */
type Typed<Tag extends 'input' | 'textarea'> = About &
  Omit<ComponentProps<Tag>, 'value' | 'onChange'> & {
    readonly value: string;
    readonly onChange: (value: string) => void;
  };

/** A field for a line of text. */
export function TextField({ label, hint, problem, onChange, ...input }: Typed<'input'>) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => <input {...control} {...input} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}

/** A field for several lines of text. */
export function TextAreaField({ label, hint, problem, onChange, ...input }: Typed<'textarea'>) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => <textarea {...control} {...input} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}

/** A field for a number, as it is typed; the browser holds it to the range. By default only whole numbers are taken. */
export const NumberField = (props: Typed<'input'>) => <TextField step={1} {...props} type="number" />;

/** A field for a number whose problem the form says: a number input would hide from it what is mistyped. */
export const NumberText = (props: Typed<'input'> & { readonly inputMode: 'numeric' | 'decimal' }) => (
  <TextField {...props} style={{ maxWidth: '12rem' }} />
);

/** A field with a list to choose one from. */
export function SelectField<Value extends string>(
  props: About & {
    readonly options: readonly { readonly value: Value; readonly label: string }[];
    readonly value: Value;
    readonly onChange: (value: Value) => void;
  },
) {
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
