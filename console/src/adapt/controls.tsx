import { useId } from 'react';
import { Choice, NumberText, SelectField, TextAreaField, TextField } from '../ui/fields.tsx';
import { Section } from '../ui/parts.tsx';
import type { ColumnMapping } from './mapping.ts';
import {
  asksModel,
  type Expansion,
  type Length,
  PATHS,
  type Problems,
  type SafetyCategory,
  type Settings,
  type Verification,
} from './settings.ts';

interface ControlsProps {
  readonly settings: Settings;
  readonly mapping: ColumnMapping;
  readonly problems: Problems;
  readonly onChange: (changes: Partial<Settings>) => void;
}

export const LENGTHS: readonly { readonly value: Length | ''; readonly label: string }[] = [
  { value: '', label: 'As the answers are' },
  { value: 'minimal', label: 'Minimal: 3 to 25 words' },
  { value: 'concise', label: 'Concise: 26 to 70 words' },
  { value: 'detailed', label: 'Detailed: 71 to 180 words' },
  { value: 'extensive', label: 'Extensive: 181 to 450 words' },
];

const VERIFICATIONS: readonly { readonly value: Verification | ''; readonly label: string }[] = [
  { value: '', label: 'Free checks flag doubtful rows' },
  { value: 'flag', label: 'Free checks and the model flag doubtful rows' },
  { value: 'correct', label: 'Wrong ones are corrected, doubtful rows flagged' },
  { value: 'drop', label: 'Doubtful rows are dropped' },
  { value: 'off', label: 'Nothing is checked' },
];

const FREE_CHECKS =
  'Free checks run the code of rows, and compare rows with each other. They ask no model and change nothing: doubtful rows are shown for review.';
const MODEL_CHECKS =
  'Beside the free checks, the judge model answers each prompt without seeing the answer. It is believed as far as it was right on known questions. About two calls a row, no more credits.';

const SAFETY: readonly { readonly value: SafetyCategory; readonly label: string }[] = [
  { value: 'violence', label: 'Violence' },
  { value: 'self_harm', label: 'Self-harm' },
  { value: 'harassment', label: 'Harassment' },
  { value: 'hate', label: 'Hate' },
  { value: 'sexual', label: 'Sexual content' },
];

const EXPANSIONS: readonly { readonly value: Expansion; readonly label: string }[] = [
  { value: 'none', label: 'Add no rows' },
  { value: 'translate', label: 'Translate into other languages' },
  { value: 'localize', label: 'Adapt to other countries' },
  { value: 'previous', label: 'The same as in the last adaptation' },
];

/** What the adaptation makes, how the answers are to be, and how many rows it takes. */
export function Controls(props: ControlsProps) {
  return (
    <>
      <Result {...props} />
      <Wording {...props} />
      <Extent {...props} />
    </>
  );
}

function Result({ settings, mapping, problems, onChange }: ControlsProps) {
  const name = useId();
  const rephrases = settings.promptRephrase ?? mapping.prompt !== undefined;
  return (
    <Section title="What it makes">
      <fieldset>
        <legend>Result</legend>
        <div className="adapt-choices">
          <Choice
            type="radio"
            name={name}
            label="Better prompts and answers"
            hint="For training by example. Every row keeps its own columns and gets enhanced ones."
            checked={settings.trainingType === 'instruction_dataset'}
            problem={problems.get(PATHS.trainingType)}
            onChange={() => onChange({ trainingType: 'instruction_dataset' })}
          />
          <Choice
            type="radio"
            name={name}
            label="Preference pairs"
            hint="Also writes a better and a worse answer of each row, chosen and rejected, where one wins clearly."
            checked={settings.trainingType === 'preference_pairs'}
            onChange={() => onChange({ trainingType: 'preference_pairs' })}
          />
        </div>
      </fieldset>
      <div className="adapt-choices">
        <Choice
          label="Rephrase prompts"
          hint={`Prompts are worded better where that helps; the original column stays. On by default where a prompt column is mapped${settings.promptRephrase === null ? '' : ', changed here'}.`}
          checked={rephrases}
          problem={problems.get(PATHS.promptRephrase)}
          onChange={(promptRephrase) => onChange({ promptRephrase })}
        />
        <Choice
          label="Write the steps to each answer"
          hint="A column reasoning_trace gets the reasoning that leads to the answer, for training models that think."
          checked={settings.reasoningTraces}
          problem={problems.get(PATHS.reasoningTraces)}
          onChange={(reasoningTraces) => onChange({ reasoningTraces })}
        />
      </div>
      <SelectField
        label="Answers that look right"
        hint={
          asksModel(settings)
            ? MODEL_CHECKS
            : settings.verification === ''
              ? FREE_CHECKS
              : 'No row is flagged.'
        }
        problem={problems.get(PATHS.verification)}
        options={VERIFICATIONS}
        value={settings.verification}
        onChange={(verification) => onChange({ verification })}
      />
      {asksModel(settings) ? (
        <NumberText
          label="Rows that the model looks at, at most"
          hint="Rows that free checks doubt come first, then a sample of the others; empty for all rows."
          problem={problems.get(PATHS.verificationRows)}
          inputMode="numeric"
          placeholder="All rows"
          value={settings.verificationRows}
          onChange={(verificationRows) => onChange({ verificationRows })}
        />
      ) : null}
    </Section>
  );
}

function Wording({ settings, problems, onChange }: ControlsProps) {
  const isOpen =
    settings.safety.length > 0 ||
    settings.hallucinationMitigation ||
    problems.has(PATHS.safety) ||
    problems.has(PATHS.hallucinationMitigation);
  return (
    <Section title="How the answers are">
      <SelectField
        label="Length"
        hint="An answer outside of the range is asked for again, up to twice. The form that a prompt demands goes first."
        problem={problems.get(PATHS.length)}
        options={LENGTHS}
        value={settings.length}
        onChange={(length) => onChange({ length })}
      />
      <TextAreaField
        label="Blueprint"
        hint="What makes a good answer here: tone, criteria, what to leave out. It is the system prompt of every new answer; up to 20,000 characters."
        problem={problems.get(PATHS.blueprint)}
        maxLength={20_000}
        placeholder="Answer as our support team does: friendly, in complete sentences, without promises."
        value={settings.blueprint}
        onChange={(blueprint) => onChange({ blueprint })}
      />
      <details open={isOpen}>
        <summary>Safety and sources</summary>
        <div className="stack">
          <fieldset>
            <legend>Safety</legend>
            <p className="hint">
              One category is enough: every prompt and answer is then scored from 0 to 1 in all five, in two
              columns of their own. No row is removed.
            </p>
            <div className="adapt-checks">
              {SAFETY.map(({ value, label }) => (
                <Choice
                  key={value}
                  label={label}
                  checked={settings.safety.includes(value)}
                  onChange={(checked) =>
                    onChange({
                      safety: SAFETY.map(({ value: each }) => each).filter((each) =>
                        each === value ? checked : settings.safety.includes(each),
                      ),
                    })
                  }
                />
              ))}
            </div>
            {problems.has(PATHS.safety) ? (
              <p className="hint hint-bad">{problems.get(PATHS.safety)}</p>
            ) : null}
          </fieldset>
          <Choice
            label="Ground answers in a web search"
            hint="The model reads up to five pages found for the prompt, and the report lists them. The installation needs a search engine."
            checked={settings.hallucinationMitigation}
            problem={problems.get(PATHS.hallucinationMitigation)}
            onChange={(hallucinationMitigation) => onChange({ hallucinationMitigation })}
          />
        </div>
      </details>
    </Section>
  );
}

function Extent({ settings, problems, onChange }: ControlsProps) {
  const { expansion } = settings;
  const isOpen = expansion !== 'none';
  return (
    <Section title="How many rows">
      <NumberText
        label="Rows at most"
        hint="A sample of so many rows to try the settings with; empty for all rows. With images, the first rows are taken."
        problem={problems.get(PATHS.maxRows)}
        inputMode="numeric"
        placeholder="All rows"
        value={settings.maxRows}
        onChange={(maxRows) => onChange({ maxRows })}
      />
      <Choice
        label="Take hours, for half the credits"
        hint="The calls go to the batch jobs of the model's provider, where the installation offers that."
        checked={settings.batch}
        problem={problems.get(PATHS.batch)}
        onChange={(batch) => onChange({ batch })}
      />
      <Choice
        label="Adapt all rows anew"
        hint="Otherwise rows that an earlier run adapted with the same settings are taken over: they cost nothing again."
        checked={!settings.reuse}
        problem={problems.get(PATHS.reuse)}
        onChange={(isAnew) => onChange({ reuse: !isAnew })}
      />
      <details open={isOpen}>
        <summary>Rows in other languages</summary>
        <div className="stack">
          <SelectField
            label="Languages"
            hint={
              expansion === 'previous'
                ? 'What the last adaptation added, if anything, is added again and costs credits.'
                : 'Added rows follow those of the source and cost credits like them.'
            }
            options={EXPANSIONS}
            value={expansion}
            onChange={(chosen) => onChange({ expansion: chosen })}
          />
          {expansion === 'translate' ? (
            <TextField
              label="Language codes"
              hint="Two-letter codes with a comma between them, such as de, fr, zh-Hans; at most 50."
              problem={problems.get(PATHS.languages)}
              spellCheck={false}
              value={settings.languages}
              onChange={(languages) => onChange({ languages })}
            />
          ) : null}
          {expansion === 'localize' ? (
            <TextField
              label="Languages and countries"
              hint="A language with its country each, such as es-MX, de-AT; at most 50. Units, currency, names and places follow the country."
              problem={problems.get(PATHS.pairs)}
              spellCheck={false}
              value={settings.pairs}
              onChange={(pairs) => onChange({ pairs })}
            />
          ) : null}
          {expansion === 'translate' || expansion === 'localize' ? (
            <NumberText
              label="Share of the rows, in percent"
              hint="Each language gets its own sample of the rows, at least one."
              problem={problems.get(PATHS.samplePercent)}
              inputMode="decimal"
              value={settings.samplePercent}
              onChange={(samplePercent) => onChange({ samplePercent })}
            />
          ) : null}
        </div>
      </details>
    </Section>
  );
}
