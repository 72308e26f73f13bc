import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { dataOf, type Schemas } from 'tunesmith';
import '../adapt/adapt.css';
import { Columns } from '../adapt/columns.tsx';
import type { Mapping } from '../adapt/mapping.ts';
import { Balance, LaunchCard, PriceFigure } from '../adapt/quote.tsx';
import { problemsOfError } from '../adapt/settings.ts';
import { type ColumnsOf, mappedOf, useColumns } from '../adapt/use-columns.ts';
import { type Quoted, useQuoted } from '../adapt/use-quoted.ts';
import { useApi } from '../api.tsx';
import type { DatasetRecord, DatasetStatus } from '../datasets/dataset.tsx';
import { plural } from '../format.ts';
import { useLaunchOnce } from '../launch-once.ts';
import { go, hrefOf } from '../route.ts';
import { Choice, NumberText } from '../ui/fields.tsx';
import { Failure, Loading, Section } from '../ui/parts.tsx';
import { MarkedText } from '../ui/row-text.tsx';
import { ArmFields } from './arm-fields.tsx';
import {
  ARMS_MAX,
  draftsOf,
  launchOf,
  NEW_FORM,
  type PilotForm,
  type PilotRequest,
  pilotRequestOf,
  problemOfRows,
  problemsOfArms,
  refusedArms,
  SAMPLE_ROWS,
  sampleRowsMax,
  withArm,
  withoutArm,
} from './arms.ts';
import { settingsWords } from './words.ts';

type PilotQuote = Schemas['PilotLaunch'];

interface NewPilotProps {
  readonly dataset: DatasetRecord;
  readonly status: DatasetStatus;
}

/** The form for a new pilot, where the dataset can have one now. */
export function NewPilot({ dataset, status }: NewPilotProps) {
  if (status.status === 'pending') {
    return (
      <p role="status" className="note">
        The file has not been read yet. A pilot can be started once it has.
      </p>
    );
  }
  if (status.status === 'running') {
    return (
      <p role="status" className="note">
        A run is active on the dataset. A pilot can be started once it has ended.
      </p>
    );
  }
  const rowCount = status.row_count ?? 0;
  if (rowCount < SAMPLE_ROWS.min) {
    return (
      <p className="notice notice-bad">
        {status.row_count === null
          ? `${status.error_data?.message ?? 'The file could not be read.'} There are no rows to compare.`
          : `A pilot needs at least ${SAMPLE_ROWS.min} rows.`}
      </p>
    );
  }
  return <Form dataset={dataset} rowCount={rowCount} />;
}

function Form({ dataset, rowCount }: { readonly dataset: DatasetRecord; readonly rowCount: number }) {
  const { found, error, retry } = useColumns(dataset);
  if (error !== null) return <Failure error={error} retry={retry} />;
  if (found === null) return <Loading what="the columns" />;
  return (
    <>
      <h2 className="pilot-new">New pilot</h2>
      <Mapped dataset={dataset} rowCount={rowCount} found={found} />
    </>
  );
}

function Mapped(props: {
  readonly dataset: DatasetRecord;
  readonly rowCount: number;
  readonly found: ColumnsOf;
}) {
  const { dataset, rowCount, found } = props;
  const id = dataset.dataset_id;
  const [chosen, setChosen] = useState<Mapping | null>(null);
  const [form, setForm] = useState<PilotForm>(NEW_FORM);
  const change = (changes: Partial<PilotForm>): void => setForm((earlier) => ({ ...earlier, ...changes }));
  const { mapping, asked, reading } = mappedOf(dataset, found, chosen);
  const problemOfCount = problemOfRows(form.sampleRows, rowCount);
  const twins = form.isAuto ? new Map<number, string>() : problemsOfArms(form.arms);
  const obstacle =
    reading.kind === 'problem'
      ? 'Map the columns first.'
      : problemOfCount !== undefined
        ? 'Correct the number of rows first.'
        : twins.size > 0
          ? 'Correct the marked arms first.'
          : null;
  const request = obstacle === null ? pilotRequestOf(asked, form) : null;
  const estimate = usePilotEstimate(id, request);
  const launch = usePilotLaunch(id);
  const launchError = launch.isOf(request) ? launch.error : null;
  const problems = new Map([...problemsOfError(estimate.error), ...problemsOfError(launchError)]);
  const [proposed, setProposed] = useState<PilotQuote['arms'] | null>(null);
  // What was proposed for these columns can be taken over into own arms.
  const current = form.isAuto ? (estimate.quote?.arms ?? null) : null;
  if (current !== null && current !== proposed) setProposed(current);
  return (
    <div className="adapt">
      <div className="adapt-form">
        <Columns
          {...found}
          mapping={mapping}
          asked={asked}
          reading={reading}
          problems={problems}
          onChange={setChosen}
        />
        <Arms
          form={form}
          proposed={proposed}
          problems={new Map([...refusedArms(problems), ...twins])}
          onChange={change}
        />
        <SampleRows
          rowCount={rowCount}
          value={form.sampleRows}
          problem={problemOfCount ?? problems.get('sample_rows')}
          onChange={(sampleRows) => change({ sampleRows })}
        />
      </div>
      <LaunchCard
        estimate={estimate}
        obstacle={obstacle}
        isLaunching={launch.isPending}
        launchError={launchError}
        onLaunch={() => {
          if (request !== null) launch.start(request);
        }}
        pricing="Pricing this pilot …"
        show={(quote) => <Quote quote={quote} />}
        start="Start the pilot"
        hint="The credits are reserved now. At the end only delivered rows are charged, and an adaptation by one of the arms does not pay for its rows again."
      />
    </div>
  );
}

function usePilotEstimate(datasetId: string, request: PilotRequest | null): Quoted<PilotQuote> {
  const { client } = useApi();
  return useQuoted(['pilots', datasetId], request, (asked, signal) =>
    dataOf(
      client.POST('/api/v1/datasets/{dataset_id}/pilots', {
        signal,
        params: { path: { dataset_id: datasetId } },
        body: { ...asked, estimate: true },
      }),
    ),
  );
}

/** Starts a pilot once, and goes to it. */
function usePilotLaunch(datasetId: string) {
  const { client } = useApi();
  const queries = useQueryClient();
  return useLaunchOnce(
    datasetId,
    (request: PilotRequest, key) =>
      dataOf(
        client.POST('/api/v1/datasets/{dataset_id}/pilots', {
          params: { path: { dataset_id: datasetId } },
          body: launchOf(request, key),
        }),
      ),
    async ({ pilot_id: pilot }) => {
      await queries.invalidateQueries({ queryKey: ['pilots', datasetId], exact: true });
      if (pilot !== null) go(hrefOf(['datasets', datasetId, 'pilots', pilot]));
    },
  );
}

function Arms(props: {
  readonly form: PilotForm;
  readonly proposed: PilotQuote['arms'] | null;
  readonly problems: ReadonlyMap<number, string>;
  readonly onChange: (changes: Partial<PilotForm>) => void;
}) {
  const { form, proposed, problems, onChange } = props;
  const name = useId();
  const { arms } = form;
  return (
    <Section
      title="Arms"
      note="An arm is one way to adapt the dataset. All arms adapt the same rows, so that they can be compared."
    >
      <fieldset>
        <legend>Which arms</legend>
        <div className="adapt-choices">
          <Choice
            type="radio"
            name={name}
            label="Propose arms for me"
            hint="Two to six that fit what the columns hold. The estimate names them."
            checked={form.isAuto}
            onChange={() => onChange({ isAuto: true })}
          />
          <Choice
            type="radio"
            name={name}
            label="Compare my own arms"
            hint={`1 to ${ARMS_MAX}.`}
            checked={!form.isAuto}
            onChange={() => onChange({ isAuto: false })}
          />
        </div>
      </fieldset>
      {form.isAuto ? null : (
        <>
          <ol className="pilot-arms">
            {arms.map((arm, index) => (
              <li key={arm.id}>
                <ArmFields
                  number={index + 1}
                  arm={arm}
                  problem={problems.get(index + 1)}
                  onChange={(changes) =>
                    onChange({
                      arms: arms.map((each) => (each.id === arm.id ? { ...each, ...changes } : each)),
                    })
                  }
                  onRemove={arms.length > 1 ? () => onChange({ arms: withoutArm(arms, arm.id) }) : undefined}
                />
              </li>
            ))}
          </ol>
          <div className="line">
            <button
              type="button"
              disabled={arms.length >= ARMS_MAX}
              onClick={() => onChange({ arms: withArm(arms) })}
            >
              Add an arm
            </button>
            {proposed === null ? null : (
              <button type="button" onClick={() => onChange({ arms: draftsOf(proposed, arms) })}>
                Go on from the proposed arms
              </button>
            )}
            {arms.length >= ARMS_MAX ? (
              <span className="quiet">A pilot compares at most {ARMS_MAX} arms.</span>
            ) : null}
          </div>
        </>
      )}
    </Section>
  );
}

function SampleRows(props: {
  readonly rowCount: number;
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}) {
  const { rowCount, value, problem, onChange } = props;
  const rowsByDefault = String(Math.min(SAMPLE_ROWS.default, rowCount));
  return (
    <Section title="How many rows">
      <NumberText
        label="Rows that each arm adapts"
        hint={`${SAMPLE_ROWS.min} to ${sampleRowsMax(rowCount)}; empty: ${rowsByDefault}. They are drawn across lengths, languages and topics. More rows show smaller differences.`}
        problem={problem}
        inputMode="numeric"
        placeholder={rowsByDefault}
        value={value}
        onChange={onChange}
      />
    </Section>
  );
}

/** Price and duration of the pilot, and its arms. */
function Quote({ quote }: { readonly quote: PilotQuote }) {
  const { arms, estimated_credits: credits, estimated_minutes: minutes, sample_rows: rows, notes } = quote;
  return (
    <>
      <PriceFigure credits={credits} minutes={minutes} />
      <p>
        {plural(arms.length, 'arm')}, {plural(rows, 'row')} each:
      </p>
      <ol className="pilot-list">
        {arms.map((arm, index) => (
          // Names repeat, and an arm is its place.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <li key={index}>
            <bdi className="pilot-name">
              <MarkedText text={arm.name} />
            </bdi>{' '}
            <span className="hint">{settingsWords(arm)}</span>
          </li>
        ))}
      </ol>
      {notes.map((note) => (
        <p key={note} className="hint">
          {note}
        </p>
      ))}
      <Balance credits={credits} />
    </>
  );
}
