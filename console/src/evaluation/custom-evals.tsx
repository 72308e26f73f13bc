import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { dataOf, type Schemas, TunesmithError } from 'tunesmith';
import { pollMilliseconds, useApi } from '../api.tsx';
import { plural, signed } from '../format.ts';
import { TextAreaField, TextField } from '../ui/fields.tsx';
import { Dialog, Failure, Loading, Section, State, Time } from '../ui/parts.tsx';
import { MarkedText, RowText } from '../ui/row-text.tsx';
import { Whiskers } from './charts.tsx';

type CustomEval = Schemas['CustomEval'];

const isActive = ({ status }: CustomEval): boolean => status === 'pending' || status === 'running';

/** Evaluations by the caller's own rubric: their results, and a new one. */
export function CustomEvals({ datasetId }: { readonly datasetId: string }) {
  const { client } = useApi();
  const [isCreating, setCreating] = useState(false);
  const list = useQuery({
    queryKey: ['custom-evals', datasetId],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/v1/datasets/{dataset_id}/custom-evals', {
          signal,
          params: { path: { dataset_id: datasetId } },
        }),
      ),
    refetchInterval: ({ state }) => pollMilliseconds(state.data?.items.some(isActive) ?? false, 3),
  });
  const items = list.data?.items ?? [];
  return (
    <Section
      title="Custom evaluations"
      note="A judge scores the sample of this evaluation by your own rubric, before and after. It is not calibrated for your rubric: read some rows yourself. It costs no credits."
      actions={
        <button type="button" onClick={() => setCreating(true)}>
          New custom evaluation
        </button>
      }
    >
      {list.isError ? <Failure error={list.error} retry={() => list.refetch()} /> : null}
      {list.isPending ? <Loading what="the custom evaluations" /> : null}
      {list.isSuccess && items.length === 0 ? <p className="quiet">None yet.</p> : null}
      {items.map((each) => (
        <Result key={each.custom_eval_id} of={each} />
      ))}
      {isCreating ? <Create datasetId={datasetId} onClose={() => setCreating(false)} /> : null}
    </Section>
  );
}

function Result({ of }: { readonly of: CustomEval }) {
  const {
    score_before: before,
    score_after: after,
    improvement_percent: improvement,
    scored_rows: rows,
  } = of;
  return (
    <article className="card stack">
      <div className="section-head">
        <h3 dir="auto">
          <MarkedText text={of.name ?? 'Without a name'} />
        </h3>
        <span className="line">
          <Time iso={of.created_at} />{' '}
          <State value={of.status} label={of.status === 'succeeded' ? 'done' : of.status} />
        </span>
      </div>
      {of.error_message === null ? null : (
        <p className="hint-bad">
          <MarkedText text={of.error_message} />
        </p>
      )}
      {after === null ? null : (
        <>
          <Whiskers
            title="Mean scores by the rubric"
            scale={[0, 10]}
            ticks={[0, 2, 4, 6, 8, 10].map((at) => ({ at, label: String(at) }))}
            of={[
              ...(before === null
                ? []
                : [{ label: 'Before', value: before, interval: null, tone: 'quiet' as const }]),
              { label: 'After', value: after, interval: null },
            ]}
          />
          <p className="hint">
            {[
              before === null ? 'There were no answers before.' : '',
              improvement === null ? '' : `Improvement: ${signed(improvement)} %.`,
              rows === null ? '' : `${plural(rows, 'row')} scored.`,
              'The service gives no interval for these means.',
            ].join(' ')}
          </p>
        </>
      )}
      <details>
        <summary>Rubric</summary>
        <RowText text={of.judge_prompt} />
      </details>
    </article>
  );
}

/** The rubric that the service suggests in the place of a faulty one; null if it suggests none. */
function suggestionOf(error: unknown): string | null {
  if (!(error instanceof TunesmithError)) return null;
  const suggested = error.details
    .map((detail) => detail.suggested_prompt)
    .find((each) => typeof each === 'string');
  return typeof suggested === 'string' ? suggested : null;
}

const PROMPT_MIN = 20;
const PROMPT_MAX = 20_000;
const NAME_MAX = 120;

function Create({ datasetId, onClose }: { readonly datasetId: string; readonly onClose: () => void }) {
  const { client } = useApi();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [prompt, setPrompt] = useState('');
  const creation = useMutation({
    mutationFn: () =>
      dataOf(
        client.POST('/api/v1/datasets/{dataset_id}/custom-evals', {
          params: { path: { dataset_id: datasetId } },
          body: { judge_prompt: prompt, ...(name.trim() === '' ? {} : { name: name.trim() }) },
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['custom-evals', datasetId] });
      onClose();
    },
  });
  const suggested = suggestionOf(creation.error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    creation.mutate();
  };
  return (
    <Dialog title="New custom evaluation" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Name"
          hint="To find it again."
          value={name}
          maxLength={NAME_MAX}
          onChange={setName}
        />
        <TextAreaField
          label="Rubric"
          hint="Ask for whole numbers from 0 to 10, and say what earns a high and a low score. For example: Score the answer with an integer from 0 to 10. Ten: every claim names its source. Zero: none does."
          rows={8}
          required
          minLength={PROMPT_MIN}
          maxLength={PROMPT_MAX}
          value={prompt}
          onChange={setPrompt}
        />
        {creation.isError ? <Failure error={creation.error} /> : null}
        {suggested === null ? null : (
          <div className="stack">
            <p>The service suggests this rubric:</p>
            <RowText text={suggested} />
            <button
              type="button"
              onClick={() => {
                setPrompt(suggested);
                creation.reset();
              }}
            >
              Use it
            </button>
          </div>
        )}
        <div className="dialog-foot">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={creation.isPending}>
            {creation.isPending ? 'Starting …' : 'Start'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
