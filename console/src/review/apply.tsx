import { useId, useState } from 'react';
import { useApi } from '../api.tsx';
import type { DatasetStatus } from '../datasets/dataset.tsx';
import { plural } from '../format.ts';
import { useLaunchOnce } from '../launch-once.ts';
import { hrefOf } from '../route.ts';
import { Choice } from '../ui/fields.tsx';
import { Dialog, Failure, Loading, Progress } from '../ui/parts.tsx';
import { useVersions } from '../versions/queries.ts';
import { type AppliedVerdicts, applyVerdicts, type ReviewSummary } from './contract.ts';
import { verdictsWords } from './words.ts';

/** Asks what becomes of wrong rows before a version is made of the verdicts. */
export function ApplyDialog({
  datasetId,
  verdicts,
  unsent,
  onLaunched,
  onClose,
}: {
  readonly datasetId: string;
  readonly verdicts: ReviewSummary['verdicts'];
  /** Verdicts that are not recorded yet. */
  readonly unsent: number;
  readonly onLaunched: (applied: AppliedVerdicts) => void;
  readonly onClose: () => void;
}) {
  const { client } = useApi();
  const [wrong, setWrong] = useState<'keep' | 'drop'>('keep');
  const name = useId();
  const launch = useLaunchOnce(
    datasetId,
    (request: { readonly wrong: 'keep' | 'drop' }, key) =>
      applyVerdicts(client, datasetId, request.wrong, key),
    onLaunched,
  );
  const isBlocked = unsent > 0 || launch.isPending;
  return (
    <Dialog title="Make a version of these verdicts?" onClose={onClose}>
      <div className="stack">
        <p>
          {verdictsWords(verdicts)}. Mended rows get their new text. Rows whose verdicts contradict each
          other, or that have changed since, stay as they are. It is free of charge.
        </p>
        <fieldset>
          <legend>Wrong rows</legend>
          <Choice
            type="radio"
            name={name}
            label="Keep them as they are"
            checked={wrong === 'keep'}
            onChange={() => setWrong('keep')}
          />
          <Choice
            type="radio"
            name={name}
            label={`Leave them out: ${plural(verdicts.wrong, 'row')}`}
            checked={wrong === 'drop'}
            onChange={() => setWrong('drop')}
          />
        </fieldset>
        {unsent > 0 ? (
          <p role="status" className="notice notice-warn">
            {plural(unsent, 'verdict')} {unsent === 1 ? 'is' : 'are'} not saved yet. This goes on once they
            are.
          </p>
        ) : null}
        {launch.error === null ? null : <Failure error={launch.error} />}
      </div>
      <div className="dialog-foot">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="primary"
          aria-disabled={isBlocked}
          onClick={() => {
            if (!isBlocked) launch.start({ wrong });
          }}
        >
          {launch.isPending ? 'Starting …' : 'Make the version'}
        </button>
      </div>
    </Dialog>
  );
}

/** A version that is made of verdicts: whether it is there, and where. */
export function MadeVersion({
  datasetId,
  version,
  status,
}: {
  readonly datasetId: string;
  readonly version: number;
  readonly status: Pick<DatasetStatus, 'status'>;
}) {
  const versions = useVersions(datasetId, status.status);
  if (versions.isError) return <Failure error={versions.error} retry={() => versions.refetch()} />;
  if (versions.data === undefined) return <Loading what="the version" />;
  const made = versions.data.pages.flatMap((page) => page.versions).find((each) => each.version === version);
  const state = made?.status ?? 'running';
  if (state === 'failed' || state === 'deleted') {
    return (
      <div className="notice notice-bad" role="alert">
        <p>
          {state === 'failed' ? `Version ${version} could not be made.` : `Version ${version} was deleted.`}{' '}
          The verdicts are kept. <a href={hrefOf(['datasets', datasetId, 'versions'])}>All versions</a>
        </p>
      </div>
    );
  }
  if (state === 'running') {
    return (
      <div className="card stack">
        <p role="status">Version {version} is being made of the verdicts …</p>
        <Progress label="Version" share={null} />
      </div>
    );
  }
  return (
    <div className="card line">
      <p role="status">Version {version} is made of the verdicts.</p>
      <a className="button" href={hrefOf(['datasets', datasetId, 'rows'], { version })}>
        Look at its rows
      </a>
      <a href={hrefOf(['datasets', datasetId, 'versions'])}>All versions</a>
    </div>
  );
}
