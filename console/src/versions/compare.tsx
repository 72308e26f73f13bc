import { SelectField } from '../ui/fields.tsx';
import { Section } from '../ui/parts.tsx';
import { Comparison } from './comparison.tsx';
import type { DiffKind, Version } from './contract.ts';
import { DIFF_KINDS } from './diff.ts';
import { comparedOf, makerWords, optionsOf } from './words.ts';

/** What is compared, as the address has it; null where it does not say. */
export interface AskedComparison {
  readonly from: number | null;
  readonly to: number | null;
  readonly kind: DiffKind | null;
}

/** Two versions to choose, and what differs between them. */
export function Compare(props: {
  readonly datasetId: string;
  /** Newest first. */
  readonly versions: readonly Version[];
  readonly asked: AskedComparison;
  readonly onChange: (asked: AskedComparison) => void;
}) {
  const { datasetId, versions, asked, onChange } = props;
  const compared = comparedOf(versions, asked);
  if (compared === null) {
    return (
      <Section title="Differences">
        <p className="note">Versions can be compared once there are two with rows.</p>
      </Section>
    );
  }
  const { from, to } = compared;
  const { kind } = asked;
  const deleted = versions.find(
    ({ version, status }) => (version === from || version === to) && status === 'deleted',
  );
  return (
    <Section title="Differences" note="What changes in the rows from one version to the other.">
      <div className="versions-compare">
        <VersionField
          label="From version"
          versions={versions}
          value={from}
          onChange={(chosen) => onChange({ from: chosen, to, kind })}
        />
        <VersionField
          label="To version"
          versions={versions}
          value={to}
          onChange={(chosen) => onChange({ from, to: chosen, kind })}
        />
        <SelectField
          label="Rows"
          options={[
            { value: '', label: 'All that differ' },
            ...DIFF_KINDS.map((each) => ({ value: each, label: `Only ${each}` })),
          ]}
          value={kind ?? ''}
          onChange={(chosen) => onChange({ from, to, kind: chosen === '' ? null : chosen })}
        />
      </div>
      {deleted !== undefined ? (
        <p role="status" className="notice notice-warn">
          Version {deleted.version} was deleted, and its rows with it. Choose another version.
        </p>
      ) : from === to ? (
        <p role="status" className="note">
          This is the same version twice. Choose two to compare.
        </p>
      ) : (
        <Comparison datasetId={datasetId} from={from} to={to} kind={kind} />
      )}
    </Section>
  );
}

function VersionField(props: {
  readonly label: string;
  readonly versions: readonly Version[];
  readonly value: number;
  readonly onChange: (version: number) => void;
}) {
  const { label, versions, value, onChange } = props;
  return (
    <SelectField
      label={label}
      options={optionsOf(versions, value).map((each) => {
        const made = versions.find(({ version }) => version === each);
        return {
          value: String(each),
          label: made === undefined ? `${each}` : `${each}: ${makerWords(made.made_by)}`,
        };
      })}
      value={String(value)}
      onChange={(chosen) => onChange(Number(chosen))}
    />
  );
}
