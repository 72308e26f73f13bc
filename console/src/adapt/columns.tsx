import { useId } from 'react';
import { plural } from '../format.ts';
import { TextAreaField } from '../ui/fields.tsx';
import { Section } from '../ui/parts.tsx';
import { MarkedText } from '../ui/row-text.tsx';
import {
  type ColumnMapping,
  type Mapping,
  type Proposal,
  type Reading,
  ROLES,
  type Role,
  reasonOf,
  roleOf,
  type SampledColumn,
  withRole,
} from './mapping.ts';
import { PATHS, type Problems, problemOfColumn } from './settings.ts';

const ROLE_WORDS: Readonly<Record<Role, string>> = {
  prompt: 'Prompt',
  completion: 'Answer (completion)',
  context: 'Context',
  chat: 'Conversation (chat)',
  image: 'Image',
};

const SAMPLES_SHOWN = 3;
/** Of a long cell the beginning is enough to tell what it is. */
const SAMPLE_CHARACTERS = 160;

/** The columns of the file with cells of their first rows, and what each is used as. */
export function Columns(props: {
  readonly columns: readonly SampledColumn[];
  /** Columns of the file, shown or not. */
  readonly total: number;
  readonly mapping: Mapping;
  readonly asked: ColumnMapping;
  readonly proposal: Proposal;
  readonly reading: Reading;
  readonly problems: Problems;
  readonly onChange: (mapping: Mapping) => void;
}) {
  const { columns, total, mapping, asked, proposal, reading, problems, onChange } = props;
  const whole = problems.get(PATHS.mapping);
  return (
    <Section
      title="Columns"
      note="Say what each column holds. Columns that are used as nothing stay in the dataset as they are."
      actions={
        <button type="button" className="plain" onClick={() => onChange(proposal.mapping)}>
          Use the proposal
        </button>
      }
    >
      <ul className="adapt-columns" aria-label="Columns">
        {columns.map((column) => (
          <Column
            key={column.name}
            column={column}
            role={roleOf(mapping, column.name)}
            reason={reasonOf(proposal, mapping, column.name)}
            problem={problemOfColumn(problems, asked, column.name)}
            onChange={(role) => onChange(withRole(mapping, column.name, role))}
          />
        ))}
      </ul>
      {total > columns.length ? (
        <p className="note">
          {plural(total - columns.length, 'more column')} cannot be shown here; map them through the API.
        </p>
      ) : null}
      <details open={mapping.universalPrompt !== '' || problems.has(PATHS.universalPrompt)}>
        <summary>No prompt column? Use one instruction for all rows</summary>
        <TextAreaField
          label="Instruction for all rows"
          hint="It is applied to the context or image column of each row, such as “Summarize the text in two sentences.”"
          problem={problems.get(PATHS.universalPrompt)}
          value={mapping.universalPrompt}
          onChange={(universalPrompt) => onChange({ ...mapping, universalPrompt })}
        />
      </details>
      <p role="status" className={`notice ${reading.kind === 'problem' ? 'notice-warn' : ''}`}>
        {whole ?? reading.sentence}
      </p>
    </Section>
  );
}

function Column({
  column: { name, samples },
  role,
  reason,
  problem,
  onChange,
}: {
  readonly column: SampledColumn;
  readonly role: Role | null;
  readonly reason: string | null;
  readonly problem: string | undefined;
  readonly onChange: (role: Role | null) => void;
}) {
  const id = useId();
  return (
    <li className={role === null ? 'adapt-column' : 'adapt-column adapt-column-used'}>
      <div className="adapt-column-cells">
        <strong id={id} dir="auto">
          <MarkedText text={name} />
        </strong>
        {samples.length === 0 ? <p className="hint">The first rows hold nothing here.</p> : null}
        {samples.slice(0, SAMPLES_SHOWN).map((text, index) => (
          // Cells repeat, and their order never changes.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <p key={index} className="adapt-sample" dir="auto">
            <MarkedText text={text.slice(0, SAMPLE_CHARACTERS)} />
            {text.length > SAMPLE_CHARACTERS ? ' …' : null}
          </p>
        ))}
      </div>
      <div className="field">
        <select
          aria-label={`Use ${name} as`}
          aria-describedby={`${id}-hint`}
          aria-invalid={problem !== undefined}
          value={role ?? ''}
          onChange={(event) => onChange(event.target.value === '' ? null : (event.target.value as Role))}
        >
          <option value="">Nothing</option>
          {ROLES.map((each) => (
            <option key={each} value={each}>
              {ROLE_WORDS[each]}
            </option>
          ))}
        </select>
        <p id={`${id}-hint`} className={problem === undefined ? 'hint' : 'hint hint-bad'}>
          {problem ?? (reason === null ? null : `Proposed. ${reason}`)}
        </p>
      </div>
    </li>
  );
}
