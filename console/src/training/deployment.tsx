import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { dataOf, type Schemas } from 'tunesmith';
import { useApi, usePolling } from '../api.tsx';
import { ConfirmDialog, Facts, Failure, Loading, Section, State, Time } from '../ui/parts.tsx';

type Found = Schemas['Deployment'];

/** The states of a deployment, with the words for people. */
const WORDS: Readonly<Record<Found['status'], string>> = {
  not_deployed: 'not deployed',
  queued: 'waiting',
  preparing: 'merging',
  importing: 'starting',
  ready: 'answers',
  failed: 'failed',
  deleting: 'being deleted',
};

const PLATFORMS: Readonly<Record<NonNullable<Found['platform']>, string>> = {
  amazon_bedrock: 'Amazon Bedrock',
  amazon_sagemaker: 'Amazon SageMaker',
  model_server: 'the model server of this machine',
};

const CHANGES: readonly Found['status'][] = ['queued', 'preparing', 'importing', 'deleting'];
const ENDS: readonly Found['status'][] = ['not_deployed', 'failed'];

/** What answers with a trained model: its state, what it costs, and the buttons that make and delete it. */
export function Deployment({ id }: { readonly id: string }) {
  const { client } = useApi();
  const [asked, setAsked] = useState<'deploy' | 'remove' | null>(null);
  const refetchInterval = usePolling<Found>((found) => found !== undefined && CHANGES.includes(found.status));
  const deployment = useQuery({
    queryKey: ['training', id, 'deployment'],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/v1/autoscientist/{experiment_id}/deployment', {
          signal,
          params: { path: { experiment_id: id } },
        }),
      ),
    refetchInterval,
  });
  const found = deployment.data;
  const isFree = found !== undefined && ENDS.includes(found.status);
  return (
    <Section
      title="Deployment"
      actions={
        found === undefined ? null : (
          <>
            {isFree && found.can_be_deployed ? (
              <button type="button" onClick={() => setAsked('deploy')}>
                Deploy
              </button>
            ) : null}
            {isFree || found.status === 'deleting' ? null : (
              <button type="button" onClick={() => setAsked('remove')}>
                Delete the deployment
              </button>
            )}
          </>
        )
      }
    >
      {deployment.isError ? <Failure error={deployment.error} retry={() => deployment.refetch()} /> : null}
      {deployment.isPending ? <Loading what="the deployment" /> : null}
      {found === undefined ? null : (
        <div className="card stack">
          <Facts of={factsOf(found)} />
          {found.reason === null ? null : <p className="note">{found.reason}</p>}
        </div>
      )}
      {asked === null || found === undefined ? null : (
        <Confirmed id={id} found={found} isRemoval={asked === 'remove'} onClose={() => setAsked(null)} />
      )}
    </Section>
  );
}

const factsOf = (found: Found): [string, ReactNode][] => [
  ['State', <State key="state" value={found.status} label={WORDS[found.status]} />],
  ...(found.platform === null ? [] : [['Answers on', PLATFORMS[found.platform]] as [string, ReactNode]]),
  ...(CHANGES.includes(found.status) && found.status !== 'deleting'
    ? [['Done', `${found.progress_percent} %`] as [string, ReactNode]]
    : []),
  ...(found.ready_at === null
    ? []
    : [['Since', <Time key="since" iso={found.ready_at} />] as [string, ReactNode]]),
  ...(found.hours_left_today === null
    ? []
    : [['Hours left today', String(found.hours_left_today)] as [string, ReactNode]]),
  ...(found.deleted_after === null
    ? []
    : [['Deleted without use after', <Time key="until" iso={found.deleted_after} />] as [string, ReactNode]]),
];

/** Asks before a deployment is made, with what it costs, and before one is deleted. */
function Confirmed(props: {
  readonly id: string;
  readonly found: Found;
  readonly isRemoval: boolean;
  readonly onClose: () => void;
}) {
  const { id, found, isRemoval, onClose } = props;
  const { client } = useApi();
  const queries = useQueryClient();
  const params = { path: { experiment_id: id } };
  const action = useMutation({
    mutationFn: (): Promise<Found> =>
      isRemoval
        ? dataOf(client.DELETE('/api/v1/autoscientist/{experiment_id}/deployment', { params }))
        : dataOf(client.POST('/api/v1/autoscientist/{experiment_id}/deploy', { params })),
    onSuccess: async () => {
      // Also which models answer: a laptop's does at once.
      await queries.invalidateQueries({ queryKey: ['training', id, 'deployment'] });
      await queries.invalidateQueries({ queryKey: ['models'] });
      onClose();
    },
  });
  if (isRemoval) {
    return (
      <ConfirmDialog
        title="Delete this deployment?"
        action={action}
        leave="Keep it"
        confirm="Delete the deployment"
        confirming="Deleting …"
        onClose={onClose}
      >
        The model stops answering at once. The training and its model stay, and can be deployed again.
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      title="Deploy this model?"
      action={action}
      leave="Not now"
      confirm="Deploy the model"
      confirming="Deploying …"
      onClose={onClose}
    >
      <DeploymentCosts costs={found.costs} />
    </ConfirmDialog>
  );
}

/** What a deployment costs the team, and the installation. */
export const DeploymentCosts = ({ costs }: { readonly costs: Found['costs'] }) => (
  <>
    The deployment costs no credits. Answers cost {costs.input_credits} credits for 1,000 tokens that the
    model reads and {costs.output_credits} for 1,000 that it writes. {costs.of_the_installation.join(' ')}
  </>
);
