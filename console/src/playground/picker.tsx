import { Field } from '../ui/fields.tsx';

/** Chooses several of a list: each that is chosen can be taken back. */
export function Picker(props: {
  readonly label: string;
  readonly hint: string;
  /** What an empty choice says. */
  readonly prompt: string;
  readonly max: number;
  readonly options: readonly { readonly id: string; readonly name: string }[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  const { chosen, options, onChange } = props;
  const nameOf = (id: string): string => options.find((option) => option.id === id)?.name ?? id;
  const free = options.filter(({ id }) => !chosen.includes(id));
  return (
    <div className="field">
      <Field label={props.label} hint={props.hint}>
        {(field) => (
          <select
            {...field}
            value=""
            disabled={chosen.length >= props.max || free.length === 0}
            onChange={(event) => onChange([...chosen, event.target.value])}
          >
            <option value="">{chosen.length >= props.max ? `${props.max} at most` : props.prompt}</option>
            {free.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {chosen.length === 0 ? null : (
        <ul className="chips" aria-label={`Chosen: ${props.label}`}>
          {chosen.map((id) => (
            <li key={id} className="chip">
              <span dir="auto">{nameOf(id)}</span>
              <button
                type="button"
                className="plain"
                aria-label={`Remove ${nameOf(id)}`}
                onClick={() => onChange(chosen.filter((each) => each !== id))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
