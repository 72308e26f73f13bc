import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { dataOf, type Schemas } from 'tunesmith';
import { useApi } from '../api.tsx';
import { useModels, useReadyDatasets } from '../queries.ts';
import { useRoute } from '../route.ts';
import { Choice, NumberField, SelectField, TextAreaField, TextField } from '../ui/fields.tsx';
import { Empty, Failure, Loading, Page, Section } from '../ui/parts.tsx';
import { AnswerColumns } from './answers.tsx';
import { ApprovalDialog } from './approval.tsx';
import { RequestCode } from './code.tsx';
import { type Pane, usePanes, waitingIn } from './panes.ts';
import { Picker } from './picker.tsx';
import './playground.css';
import { type Approval, EMPTY_PROMPT, type PromptForm, requestOf } from './request.ts';

const MODELS_MAX = 4;
const DATASETS_MAX = 20;

/** One prompt to several models side by side, with datasets that they search and tools that they call. */
export default function Playground() {
  const { query } = useRoute();
  const [form, setForm] = useState<PromptForm>({ ...EMPTY_PROMPT, datasets: query.getAll('dataset') });
  const [named, setNamed] = useState<readonly string[] | null>(
    query.has('model') ? query.getAll('model').slice(0, MODELS_MAX) : null,
  );
  const { panes, start, stop, decide } = usePanes();
  const [deciding, setDeciding] = useState<string | null>(null);
  const [postponed, setPostponed] = useState<ReadonlySet<string>>(new Set());
  const models = useModels();
  const set = (changed: Partial<PromptForm>): void => setForm((earlier) => ({ ...earlier, ...changed }));
  const listed = models.data?.data ?? [];
  const nameOf = (id: string): string => listed.find((model) => model.id === id)?.display_name ?? id;
  const [first] = listed;
  const chosen = named ?? (first === undefined ? [] : [first.id]);
  const isRunning = panes.some((pane) => pane.isRunning);
  const canAsk = chosen.length > 0 && form.input.trim() !== '' && !isRunning;

  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (!canAsk) return;
    setPostponed(new Set());
    start(chosen.map((model) => requestOf(form, model)));
  };
  const askByKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };
  const asking = panes.find(
    (pane) => waitingIn(pane).length > 0 && (deciding === pane.model || !postponed.has(turnOf(pane))),
  );

  if (models.isSuccess && listed.length === 0) {
    return <NoModels />;
  }
  return (
    <Page title="Playground">
      {models.isError ? <Failure error={models.error} retry={() => models.refetch()} /> : null}
      {models.isPending ? <Loading what="the models" /> : null}
      <form onSubmit={submit} className="stack">
        <PromptCard
          form={form}
          set={set}
          listed={listed}
          chosen={chosen}
          onChoose={setNamed}
          isRunning={isRunning}
          canAsk={canAsk}
          onKeyDown={askByKey}
          onStop={stop}
        />
      </form>
      {panes.length === 0 ? null : (
        <Section title={panes.length === 1 ? 'Answer' : 'Answers'}>
          <AnswerColumns panes={panes} nameOf={nameOf} onDecide={(pane) => setDeciding(pane.model)} />
        </Section>
      )}
      {chosen[0] === undefined ? null : <RequestCode request={requestOf(form, chosen[0])} />}
      {asking === undefined ? null : (
        <ApprovalDialog
          key={turnOf(asking)}
          model={nameOf(asking.model)}
          requests={waitingIn(asking)}
          onDecided={(decisions) => {
            setDeciding(null);
            decide(asking, decisions);
          }}
          onClose={() => {
            setDeciding(null);
            setPostponed((earlier) => new Set([...earlier, turnOf(asking)]));
          }}
        />
      )}
    </Page>
  );
}

/** What tells a turn of a pane from all others. */
const turnOf = ({ model, turns }: Pane): string => `${model} ${turns.at(-1)?.id ?? ''}`;

interface PartProps {
  readonly form: PromptForm;
  readonly set: (changed: Partial<PromptForm>) => void;
}

function NoModels() {
  return (
    <Page title="Playground">
      <Empty title="No model answers here">
        <p>
          This installation offers no models, and none that your team has trained is served. Its operator can
          add some.
        </p>
        <a className="button" href="#/trainings">
          Look at the trainings
        </a>
      </Empty>
    </Page>
  );
}

interface PromptCardProps extends PartProps {
  readonly listed: NonNullable<ReturnType<typeof useModels>['data']>['data'];
  /** Ids of the models that are asked. */
  readonly chosen: readonly string[];
  readonly onChoose: (models: readonly string[]) => void;
  readonly isRunning: boolean;
  readonly canAsk: boolean;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onStop: () => void;
}

/** What is asked, and of which models. */
function PromptCard(props: PromptCardProps) {
  const { form, set, listed, chosen, onChoose, isRunning, canAsk, onKeyDown, onStop } = props;
  return (
    <div className="card stack">
      <Picker
        label="Models"
        hint="Up to four answer side by side: hosted models, stacks, and models that your team has trained."
        prompt="Add a model"
        max={MODELS_MAX}
        options={listed.map(({ id, display_name: name }) => ({ id, name: name ?? id }))}
        chosen={chosen}
        onChange={onChoose}
      />
      <TextAreaField
        label="Prompt"
        hint="Ctrl+Enter or ⌘+Enter asks."
        rows={4}
        dir="auto"
        value={form.input}
        onChange={(input) => set({ input })}
        onKeyDown={onKeyDown}
      />
      <details>
        <summary>Instructions and limits</summary>
        <Limits form={form} set={set} />
      </details>
      <details open={form.datasets.length > 0 || undefined}>
        <summary>Search datasets{form.datasets.length === 0 ? '' : ` (${form.datasets.length})`}</summary>
        <DatasetSearch form={form} set={set} />
      </details>
      <details>
        <summary>Tools{form.servers.length === 0 ? '' : ` (${form.servers.length})`}</summary>
        <ToolFields form={form} set={set} />
      </details>
      <div className="line">
        <button type="submit" className="primary" disabled={!canAsk}>
          {isRunning ? 'Asking …' : 'Ask'}
        </button>
        {isRunning ? (
          <button type="button" onClick={onStop}>
            Stop
          </button>
        ) : null}
        <span className="hint">What models read and write is billed, also of an answer that you stop.</span>
      </div>
    </div>
  );
}

function Limits({ form, set }: PartProps) {
  return (
    <div className="stack">
      <TextAreaField
        label="Instructions"
        hint="They precede the prompt. A stack’s own instructions precede these."
        rows={2}
        dir="auto"
        value={form.instructions}
        onChange={(instructions) => set({ instructions })}
      />
      <div className="columns">
        <NumberField
          label="Temperature"
          hint="0 to 2. Empty: the provider decides."
          min={0}
          max={2}
          step="any"
          value={form.temperature}
          onChange={(temperature) => set({ temperature })}
        />
        <NumberField
          label="Tokens at most"
          hint="Credits for as many are reserved. Empty: a full context of the model."
          min={1}
          max={1_000_000}
          value={form.maxOutputTokens}
          onChange={(maxOutputTokens) => set({ maxOutputTokens })}
        />
      </div>
    </div>
  );
}

function DatasetSearch({ form, set }: PartProps) {
  const datasets = useReadyDatasets();
  if (datasets.isPending) return <Loading what="the datasets" />;
  if (datasets.isError) return <Failure error={datasets.error} retry={() => datasets.refetch()} />;
  return (
    <div className="stack">
      <Picker
        label="Datasets"
        hint="Models search their rows by meaning and by words, and cite the rows that they use."
        prompt={datasets.data.datasets.length === 0 ? 'No dataset is adapted yet' : 'Add a dataset'}
        max={DATASETS_MAX}
        options={datasets.data.datasets.map(({ dataset_id: id, name }) => ({ id, name }))}
        chosen={form.datasets}
        onChange={(chosen) => set({ datasets: chosen })}
      />
      <Choice
        label="The model has to search first; the answer fails if nothing is found"
        checked={form.hasToSearch}
        disabled={form.datasets.length === 0}
        onChange={(hasToSearch) => set({ hasToSearch })}
      />
    </div>
  );
}

const UNAVAILABLE: Readonly<Record<NonNullable<Schemas['Tool']['unavailable_reason']>, string>> = {
  not_implemented: 'not offered yet',
  disabled: 'switched off by the operator',
  requires_plan: 'not in the plan of your team',
  requires_scope: 'this key lacks its scope',
};

const APPROVALS: readonly { readonly value: Approval; readonly label: string }[] = [
  { value: 'server', label: 'As each server is set up; calls of your own server need none' },
  { value: 'always', label: 'I approve every call' },
  { value: 'never', label: 'No call needs approval' },
];

function ToolFields({ form, set }: PartProps) {
  const { client } = useApi();
  const tools = useQuery({
    queryKey: ['tools'],
    queryFn: ({ signal }) => dataOf(client.GET('/api/v1/tools', { signal })),
  });
  return (
    <div className="stack">
      {tools.isPending ? <Loading what="the tools" /> : null}
      {tools.isError ? <Failure error={tools.error} retry={() => tools.refetch()} /> : null}
      {tools.isSuccess && tools.data.data.length === 0 ? (
        <p className="note">This installation offers no tool servers. You can name one of your own.</p>
      ) : null}
      {tools.isSuccess && tools.data.data.length > 0 ? (
        <fieldset>
          <legend>Tool servers of this installation</legend>
          {tools.data.data.map((tool) => (
            <Choice
              key={tool.server_label}
              label={
                <>
                  <strong>{tool.name}</strong> {tool.description}
                  {tool.unavailable_reason === null ? null : (
                    <span className="quiet"> ({UNAVAILABLE[tool.unavailable_reason]})</span>
                  )}
                </>
              }
              disabled={!tool.available}
              checked={form.servers.includes(tool.server_label)}
              onChange={(isChosen) =>
                set({
                  servers: isChosen
                    ? [...form.servers, tool.server_label]
                    : form.servers.filter((label) => label !== tool.server_label),
                })
              }
            />
          ))}
        </fieldset>
      ) : null}
      <OwnServer form={form} set={set} />
      <SelectField
        label="Approval of calls"
        hint="A call that needs approval waits for you. With tools, responses are stored for 30 days, so that they can go on."
        options={APPROVALS}
        value={form.approval}
        onChange={(approval) => set({ approval })}
      />
    </div>
  );
}

/** A tool server that the service does not know. */
function OwnServer({ form, set }: PartProps) {
  const own = form.ownServer;
  const setOwn = (changed: Partial<PromptForm['ownServer']>): void =>
    set({ ownServer: { ...own, ...changed } });
  return (
    <fieldset>
      <legend>A tool server of your own (MCP)</legend>
      <div className="columns">
        <TextField
          label="Address"
          hint="Public, with https."
          type="url"
          placeholder="https://tools.example/mcp"
          value={own.url}
          onChange={(url) => setOwn({ url })}
        />
        <TextField
          label="Label"
          hint="Names it in calls: a–z, 0–9, _ and -."
          pattern="[a-z0-9_\-]+"
          value={own.label}
          onChange={(label) => setOwn({ label })}
        />
        <TextField
          label="Authorization"
          hint="The whole header, if it needs one. It is sent to this address only, and never stored."
          type="password"
          autoComplete="off"
          spellCheck={false}
          placeholder="Bearer …"
          value={own.authorization}
          onChange={(authorization) => setOwn({ authorization })}
        />
      </div>
    </fieldset>
  );
}
