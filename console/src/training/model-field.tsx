import { useQuery } from '@tanstack/react-query';
import { dataOf, type Schemas } from 'tunesmith';
import { useApi } from '../api.tsx';
import { count } from '../format.ts';
import { SelectField } from '../ui/fields.tsx';
import { Failure } from '../ui/parts.tsx';

/** The base model that is trained: one that has a trainer here, or the choice of the service. */
export function ModelField(props: {
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** The model that the service would take. */
  readonly chosen: string | undefined;
}) {
  const { client } = useApi();
  const models = useQuery({
    queryKey: ['base-models'],
    queryFn: ({ signal }) => dataOf(client.GET('/api/v1/autoscientist/models', { signal })),
  });
  const listed = models.data?.models ?? [];
  const model = listed.find(({ id }) => id === props.value);
  return (
    <div className="stack">
      <SelectField
        label="Base model"
        hint={model === undefined ? chosenWords(props.chosen) : modelWords(model)}
        options={[
          { value: '', label: 'The one that fits the dataset' },
          ...listed.map(({ id, display_name: name, model_size: size }) => ({
            value: id,
            label: `${name} (${size})`,
          })),
        ]}
        value={props.value}
        onChange={props.onChange}
      />
      {models.isError ? <Failure error={models.error} retry={() => models.refetch()} /> : null}
      {models.isSuccess && listed.length === 0 ? (
        <p className="notice notice-warn">
          This installation has no trainer, so nothing can be trained. Its operator can deploy one.
        </p>
      ) : null}
    </div>
  );
}

const chosenWords = (chosen: string | undefined): string =>
  chosen === undefined ? 'What is trained, and compared with.' : `The service would take ${chosen}.`;

const modelWords = (model: Schemas['BaseModel']): string =>
  `Rows of up to ${count(model.context_length)} tokens. ${
    model.methods.includes('dpo') ? 'Learns answers and preferences' : 'Learns answers'
  }${model.train_with_reasoning ? ', with reasoning' : ''}.`;
