import { useQuery } from '@tanstack/react-query';
import { dataOf } from 'tunesmith';
import { useApi, usePolling } from '../api.tsx';
import type { DatasetRecord, DatasetStatus } from '../datasets/dataset.tsx';
import { count, plural } from '../format.ts';
import { hrefOf, useRoute } from '../route.ts';
import { Failure, Loading, NumberHead, Section, State, TableFrame, Time } from '../ui/parts.tsx';
import { MarkedText } from '../ui/row-text.tsx';
import { NewPilot } from './new-pilot.tsx';
import { OnePilot } from './pilot.tsx';
import './pilots.css';
import { isActive, type Pilot, resultOf, statusWords } from './words.ts';

interface PilotsProps {
  readonly dataset: DatasetRecord;
  readonly status: DatasetStatus;
}

/** The pilots of a dataset and a new one, or the pilot that the address names. */
export default function Pilots(props: PilotsProps) {
  const { path } = useRoute();
  const pilotId = path[3];
  return pilotId === undefined ? (
    <List {...props} />
  ) : (
    <OnePilot key={pilotId} datasetId={props.dataset.dataset_id} pilotId={pilotId} />
  );
}

function List({ dataset, status }: PilotsProps) {
  const id = dataset.dataset_id;
  const pilots = usePilots(id);
  if (pilots.isError && pilots.data === undefined) {
    return <Failure error={pilots.error} retry={() => pilots.refetch()} />;
  }
  if (pilots.data === undefined) return <Loading what="the pilots" />;
  const active = pilots.data.find(isActive);
  return (
    <>
      {pilots.isError ? <Failure error={pilots.error} retry={() => pilots.refetch()} /> : null}
      {pilots.data.length === 0 ? (
        <section className="card stack" aria-labelledby="no-pilots">
          <h2 id="no-pilots">No pilots yet</h2>
          <p>
            A pilot adapts the same small sample of rows in several ways, the arms, and compares their answers
            with the originals. It says which adaptation helps, how sure that is, and what it costs for all
            rows – or that the dataset is best left as it is.
          </p>
        </section>
      ) : (
        <Table datasetId={id} pilots={pilots.data} />
      )}
      {active === undefined ? (
        <NewPilot dataset={dataset} status={status} />
      ) : (
        <p className="note">
          A dataset has one pilot at a time. The next one can be started when{' '}
          <a href={hrefOf(['datasets', id, 'pilots', active.pilot_id])}>the one that compares now</a> has
          ended.
        </p>
      )}
    </>
  );
}

function usePilots(datasetId: string) {
  const { client } = useApi();
  const refetchInterval = usePolling<readonly Pilot[]>((pilots) => pilots?.some(isActive) ?? false);
  return useQuery({
    queryKey: ['pilots', datasetId],
    queryFn: async ({ signal }) => {
      const { items } = await dataOf(
        client.GET('/api/v1/datasets/{dataset_id}/pilots', {
          signal,
          params: { path: { dataset_id: datasetId } },
        }),
      );
      // The client's type of an answer forgets that an interval has two ends.
      return items as Pilot[];
    },
    refetchInterval,
  });
}

function Table({ datasetId, pilots }: { readonly datasetId: string; readonly pilots: readonly Pilot[] }) {
  return (
    <Section title="Pilots">
      <TableFrame label="Pilots of the dataset">
        <thead>
          <tr>
            <th scope="col">Started</th>
            <th scope="col">State</th>
            <th scope="col">Result</th>
            <NumberHead>Arms</NumberHead>
            <NumberHead>Rows of each</NumberHead>
            <NumberHead>Price</NumberHead>
          </tr>
        </thead>
        <tbody>
          {pilots.map((pilot) => (
            <tr key={pilot.pilot_id}>
              <th scope="row" className="nowrap">
                <a href={hrefOf(['datasets', datasetId, 'pilots', pilot.pilot_id])}>
                  <Time iso={pilot.created_at} />
                </a>
              </th>
              <td>
                <State {...statusWords(pilot)} />
              </td>
              <td>
                <Result pilot={pilot} />
              </td>
              <td className="number">{count(pilot.arms.length)}</td>
              <td className="number">{count(pilot.sample_rows)}</td>
              <td className="number">
                {pilot.credits_charged === null
                  ? `${plural(pilot.credits_reserved, 'credit')} reserved`
                  : plural(pilot.credits_charged, 'credit')}
              </td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </Section>
  );
}

function Result({ pilot }: { readonly pilot: Pilot }) {
  const { arm, words } = resultOf(pilot);
  if (arm === null) return <span className="quiet">{words}</span>;
  return (
    <>
      <bdi className="pilot-name">
        <MarkedText text={arm.name} />
      </bdi>{' '}
      <span className="quiet">{words}</span>
    </>
  );
}
