import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { dataOf } from 'tunesmith';
import { useApi } from '../api.tsx';
import { plural } from '../format.ts';
import { createLaunchKeys } from '../launch-keys.ts';
import { refreshTrainings, useAccount, useReadyDatasets } from '../queries.ts';
import { go, hrefOf, useRoute } from '../route.ts';
import { Field, NumberField, SelectField, TextField } from '../ui/fields.tsx';
import { Failure, Loading, Page, Section } from '../ui/parts.tsx';
import {
  COLUMN_ROLES,
  creditsOf,
  EMPTY_LAUNCH,
  type LaunchForm,
  requestOf,
  type Setting,
  settingsFor,
} from './launch.ts';
import './training.css';
import { HyperparamFacts } from './hyperparams.tsx';
import { ModelField } from './model-field.tsx';
import { valueWords } from './words.ts';

const METHODS: readonly { readonly value: LaunchForm['method']; readonly label: string }[] = [
  { value: 'instruction', label: 'On answers' },
  { value: 'alignment', label: 'On answers, then on preferences' },
];

/** Launches a training: only the dataset has to be chosen, and everything that is left empty is shown before. */
export default function NewTraining() {
  const { client } = useApi();
  const queries = useQueryClient();
  const { query } = useRoute();
  const [form, setForm] = useState<LaunchForm>({ ...EMPTY_LAUNCH, dataset: query.get('dataset') ?? '' });
  const [keys] = useState(() => createLaunchKeys());
  const set = (changed: Partial<LaunchForm>): void => setForm((earlier) => ({ ...earlier, ...changed }));
  const launch = useMutation({
    mutationFn: () => {
      const body = requestOf(form);
      return dataOf(
        client.POST('/api/v1/autoscientist', { body: { ...body, idempotency_key: keys.keyOf(body) } }),
      );
    },
    onSuccess: async ({ id }) => {
      keys.launched();
      await refreshTrainings(queries);
      go(hrefOf(['trainings', id]));
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    launch.mutate();
  };
  const recommended = useRecommended(form);
  return (
    <Page title="Train a model" trail={[{ href: '#/trainings', label: 'Training' }]}>
      <form onSubmit={submit} className="stack">
        <Section title="What is trained">
          <div className="card columns">
            <DatasetField value={form.dataset} onChange={(dataset) => set({ dataset, columns: {} })} />
            <ModelField
              value={form.model}
              onChange={(model) => set({ model })}
              chosen={recommended.data?.model}
            />
            <SelectField
              label="Method"
              hint="Preferences need rows with a chosen and a rejected answer. Rows without them are trained on answers."
              options={METHODS}
              value={form.method}
              onChange={(method) => set({ method })}
            />
          </div>
        </Section>
        <Goal form={form} set={set} />
        <ColumnFields form={form} set={set} />
        <HyperparamFields form={form} set={set} recommended={recommended} />
        <AddedRows form={form} set={set} />
        <Price form={form} />
        {launch.isError ? <Failure error={launch.error} /> : null}
        <div className="line">
          <button type="submit" className="primary" disabled={launch.isPending || form.dataset === ''}>
            {launch.isPending ? 'Starting …' : 'Start the training'}
          </button>
          {form.dataset === '' ? <span className="quiet">Choose a dataset first.</span> : null}
        </div>
      </form>
    </Page>
  );
}

/** The hyperparameters that the service would take for the dataset, the model and the method. */
function useRecommended({ dataset, model, method }: LaunchForm) {
  const { client } = useApi();
  return useQuery({
    queryKey: ['recommended', dataset, model, method],
    queryFn: ({ signal }) =>
      dataOf(
        client.POST('/api/v1/autoscientist/recommend-hyperparams', {
          signal,
          body: { dataset_id: dataset, training_method: method, ...(model === '' ? {} : { model }) },
        }),
      ),
    enabled: dataset !== '',
  });
}

function DatasetField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (id: string) => void;
}) {
  const datasets = useReadyDatasets();
  const listed = datasets.data?.datasets ?? [];
  if (datasets.isError) {
    return (
      <div className="stack">
        <TextField
          label="Dataset"
          hint="Its id, since this key cannot list datasets."
          required
          value={value}
          onChange={(typed) => onChange(typed.trim())}
        />
        <Failure error={datasets.error} retry={() => datasets.refetch()} />
      </div>
    );
  }
  return (
    <Field
      label="Dataset"
      hint={
        datasets.isSuccess && listed.length === 0
          ? 'No dataset is ready: adapt one first.'
          : 'Adapted datasets, and raw ones with prompts and answers.'
      }
    >
      {(field) => (
        <select {...field} required value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{datasets.isPending ? 'Loading …' : 'Choose a dataset'}</option>
          {value !== '' && !listed.some(({ dataset_id: id }) => id === value) ? (
            <option value={value}>{value}</option>
          ) : null}
          {listed.map(({ dataset_id: id, name, row_count: rows }) => (
            <option key={id} value={id}>
              {name}
              {rows === null ? '' : ` (${plural(rows, 'row')})`}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface PartProps {
  readonly form: LaunchForm;
  readonly set: (changed: Partial<LaunchForm>) => void;
}

/** When the training ends. */
function Goal({ form, set }: PartProps) {
  return (
    <Section
      title="When it is good enough"
      note="The trained model answers rows that it has not seen. Its win rate is the share of them on which it does better than the base model. The training ends at the target, or after the last iteration, and keeps the best model."
    >
      <div className="card columns">
        <NumberField
          label="Target win rate (%)"
          hint="50 % is as good as the base model. Empty: 70 % for small models, 80 % for larger ones."
          min={0.1}
          max={100}
          step="any"
          value={form.targetWinRate}
          onChange={(targetWinRate) => set({ targetWinRate })}
        />
        <NumberField
          label="Iterations at most"
          hint="1 to 10. Each tries other settings. Empty: 3."
          min={1}
          max={10}
          value={form.maxIterations}
          onChange={(maxIterations) => set({ maxIterations })}
        />
      </div>
    </Section>
  );
}

function HyperparamFields({
  form,
  set,
  recommended,
}: PartProps & { readonly recommended: ReturnType<typeof useRecommended> }) {
  const derived = recommended.data?.hyperparams;
  const fields = (isRare: boolean) => (
    <div className="columns">
      {settingsFor(form.method, { isRare }).map((setting) => (
        <SettingField
          key={setting.name}
          setting={setting}
          recommended={derived?.[setting.name]}
          value={form.hyperparams[setting.name] ?? ''}
          onChange={(value) => set({ hyperparams: { ...form.hyperparams, [setting.name]: value } })}
        />
      ))}
    </div>
  );
  return (
    <Section
      title="Hyperparameters"
      note="The service recommends them for the model and the number of rows, and changes them between iterations by what the curves show. A value that you set stays fixed."
    >
      {recommended.isError ? <Failure error={recommended.error} retry={() => recommended.refetch()} /> : null}
      <div className="card stack">
        {form.dataset === '' ? (
          <p className="note">Choose a dataset to see what is recommended for it.</p>
        ) : recommended.isPending ? (
          <Loading what="the recommendation" />
        ) : derived === undefined ? null : (
          <HyperparamFacts of={derived} />
        )}
        <details>
          <summary>Set some yourself</summary>
          {fields(false)}
          <details>
            <summary>Rarer ones</summary>
            {fields(true)}
          </details>
        </details>
      </div>
    </Section>
  );
}

function SettingField(props: {
  readonly setting: Setting;
  readonly recommended: string | number | boolean | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { setting, value, onChange } = props;
  const { values } = setting;
  const placeholder = props.recommended === undefined ? 'recommended' : valueWords(props.recommended);
  if (values.kind === 'number') {
    const { min, max, step } = values;
    return (
      <NumberField
        label={setting.label}
        hint={setting.hint}
        min={min}
        max={max}
        step={step}
        placeholder={placeholder}
        value={value}
        onChange={onChange}
      />
    );
  }
  if (values.kind === 'choice' || values.kind === 'truth') {
    const unset = props.recommended === undefined ? placeholder : `recommended: ${placeholder}`;
    const choices =
      values.kind === 'choice'
        ? values.of.map((each) => ({ value: each, label: each }))
        : [
            { value: 'true', label: 'yes' },
            { value: 'false', label: 'no' },
          ];
    return (
      <SelectField
        label={setting.label}
        hint={setting.hint}
        options={[{ value: '', label: unset }, ...choices]}
        value={value}
        onChange={onChange}
      />
    );
  }
  return (
    <TextField
      label={setting.label}
      hint={setting.hint}
      type="text"
      {...(values.kind === 'text' ? { maxLength: values.lengthMax } : { pattern: 'max|[1-9][0-9]*' })}
      placeholder={placeholder}
      value={value}
      onChange={onChange}
    />
  );
}

/** Columns to train on, for a dataset whose columns the service would not find by itself. */
function ColumnFields({ form, set }: PartProps) {
  const { client } = useApi();
  const [isOpen, setOpen] = useState(false);
  const sample = useQuery({
    queryKey: ['dataset', form.dataset, 'columns'],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/v1/datasets/{dataset_id}/rows', {
          signal,
          params: { path: { dataset_id: form.dataset }, query: { limit: 1 } },
        }),
      ),
    enabled: isOpen && form.dataset !== '',
  });
  const names = sample.data?.columns.map(({ name }) => name) ?? [];
  return (
    <details className="card" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Choose the columns yourself</summary>
      {form.dataset === '' ? <p className="note">Choose a dataset first.</p> : null}
      {sample.isError ? <Failure error={sample.error} retry={() => sample.refetch()} /> : null}
      {isOpen && sample.isLoading ? <Loading what="the columns" /> : null}
      {names.length === 0 ? null : (
        <div className="columns">
          {COLUMN_ROLES.map(({ name, label, hint }) => (
            <SelectField
              key={name}
              label={label}
              hint={hint}
              options={[
                { value: '', label: 'found by the service' },
                ...names.map((each) => ({ value: each, label: each })),
              ]}
              value={form.columns[name] ?? ''}
              onChange={(column) => set({ columns: { ...form.columns, [name]: column } })}
            />
          ))}
        </div>
      )}
    </details>
  );
}

function AddedRows({ form, set }: PartProps) {
  return (
    <details className="card">
      <summary>Have rows added before the training</summary>
      <div className="columns">
        <NumberField
          label="Rows on the dataset’s topics"
          hint="0 to 40,000. A model writes them after the rows."
          min={0}
          max={40_000}
          placeholder="0"
          value={form.domainRows}
          onChange={(domainRows) => set({ domainRows })}
        />
        <NumberField
          label="Rows on topics of all kinds"
          hint="0 to 50,000. They keep the model from forgetting."
          min={0}
          max={50_000}
          placeholder="0"
          value={form.generalRows}
          onChange={(generalRows) => set({ generalRows })}
        />
        <TextField
          label="Voucher"
          hint="A discount on the added rows, if you have one."
          maxLength={64}
          autoComplete="off"
          value={form.voucher}
          onChange={(voucher) => set({ voucher })}
        />
      </div>
    </details>
  );
}

/** What the launch reserves, beside what the team has. */
function Price({ form }: { readonly form: LaunchForm }) {
  const account = useAccount();
  const price = creditsOf(form);
  const available = account.data?.balance.available;
  const isShort = available !== undefined && price > available && form.voucher.trim() === '';
  return (
    <Section title="Price">
      <div className={isShort ? 'notice notice-warn' : 'card'} role="status">
        {price === 0 ? (
          <p>
            <strong>Free.</strong> A training costs no credits; rows that it adds do.
          </p>
        ) : (
          <p>
            <strong>At most {plural(price, 'credit')}</strong> for the added rows: 10 credits per 100
            {form.voucher.trim() === '' ? '' : ', less the share of the voucher'}. They are reserved at the
            start; only rows that are added are billed.
          </p>
        )}
        {available === undefined ? null : (
          <p className="hint">
            Your team can spend {plural(available, 'credit')}.{isShort ? ' That is not enough.' : ''}
          </p>
        )}
      </div>
    </Section>
  );
}
