import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from 'tunesmith';
import { useApi } from '../api.tsx';
import { Download } from '../datasets/download.tsx';
import { count } from '../format.ts';
import { hrefOf } from '../route.ts';
import { ConfirmDialog, Dialog, NumberHead, State, TableFrame, Time } from '../ui/parts.tsx';
import { MarkedText } from '../ui/row-text.tsx';
import type { Version } from './contract.ts';
import { refreshVersions } from './queries.ts';
import { hasRows, isDeletable, makerWords, modelsWords, VERSION_STATES } from './words.ts';

/** The versions of a dataset in a table, newest first. */
export function VersionsTable(props: {
  readonly datasetId: string;
  readonly versions: readonly Version[];
  /** Version that the dataset shows where none is named; null where it is not known. */
  readonly current: number | null;
}) {
  const { datasetId, versions, current } = props;
  const [downloading, setDownloading] = useState<number | null>(null);
  const [deleting, setDeleting] = useState<Version | null>(null);
  return (
    <>
      <TableFrame label="Versions of the dataset" className="versions-table">
        <thead>
          <tr>
            <NumberHead>Version</NumberHead>
            <th scope="col">Made by</th>
            <NumberHead>Made of</NumberHead>
            <NumberHead>Rows</NumberHead>
            <th scope="col">State</th>
            <th scope="col">Time</th>
            <th scope="col">Models</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {versions.map((version) => (
            <VersionRow
              key={version.version}
              datasetId={datasetId}
              version={version}
              isCurrent={version.version === current}
              onDownload={setDownloading}
              onDelete={setDeleting}
            />
          ))}
        </tbody>
      </TableFrame>
      {downloading === null ? null : (
        <Dialog title={`Download version ${downloading}`} onClose={() => setDownloading(null)}>
          <Download id={datasetId} version={downloading} />
          <div className="dialog-foot">
            <button type="button" onClick={() => setDownloading(null)}>
              Close
            </button>
          </div>
        </Dialog>
      )}
      {deleting === null ? null : (
        <DeleteVersion datasetId={datasetId} version={deleting} onClose={() => setDeleting(null)} />
      )}
    </>
  );
}

interface ActionsProps {
  readonly datasetId: string;
  readonly version: Version;
  readonly onDownload: (version: number) => void;
  readonly onDelete: (version: Version) => void;
}

function VersionRow(props: ActionsProps & { readonly isCurrent: boolean }) {
  const { datasetId, version, isCurrent, onDownload, onDelete } = props;
  return (
    <tr>
      <th scope="row" className="number">
        {version.version}
      </th>
      <td>
        <Maker datasetId={datasetId} version={version} />
      </td>
      <td className="number">{version.parent_version ?? '–'}</td>
      <td className="number">{count(version.row_count)}</td>
      <td>
        <State value={version.status} label={VERSION_STATES[version.status]} />{' '}
        {isCurrent ? <strong>current</strong> : null}
      </td>
      <td>
        <Time iso={version.ended_at ?? version.created_at} />
      </td>
      <td className="versions-models">
        <Models models={version.models} />
      </td>
      <td>
        <Actions datasetId={datasetId} version={version} onDownload={onDownload} onDelete={onDelete} />
      </td>
    </tr>
  );
}

/** What can be done with a version. */
function Actions({ datasetId, version, onDownload, onDelete }: ActionsProps) {
  return (
    <div className="line versions-actions">
      {hasRows(version) ? (
        <>
          <a
            href={hrefOf(['datasets', datasetId, 'rows'], { version: version.version })}
            aria-label={`Rows of version ${version.version}`}
          >
            Rows
          </a>
          <button
            type="button"
            className="plain"
            aria-label={`Download version ${version.version}`}
            onClick={() => onDownload(version.version)}
          >
            Download
          </button>
        </>
      ) : null}
      {isDeletable(version) ? (
        <button
          type="button"
          className="plain"
          aria-label={`Delete version ${version.version}`}
          onClick={() => onDelete(version)}
        >
          Delete
        </button>
      ) : null}
    </div>
  );
}

/** What made a version, with the pilot whose arm it is. */
function Maker({ datasetId, version }: { readonly datasetId: string; readonly version: Version }) {
  const { made_by: madeBy, pilot_id: pilot } = version;
  return (
    <>
      {makerWords(madeBy)}
      {pilot === null ? null : (
        <>
          {' '}
          by <a href={hrefOf(['datasets', datasetId, 'pilots', pilot])}>a pilot</a>
        </>
      )}
    </>
  );
}

function Models({ models }: Pick<Version, 'models'>) {
  const text = modelsWords(models);
  return text === null ? <span className="quiet">–</span> : <MarkedText text={text} />;
}

/** Asks before a version is deleted, since nothing brings it back. */
function DeleteVersion({
  datasetId,
  version: { version },
  onClose,
}: {
  readonly datasetId: string;
  readonly version: Version;
  readonly onClose: () => void;
}) {
  const client = useApi().client;
  const queries = useQueryClient();
  const deletion = useMutation({
    mutationFn: () =>
      dataOf(
        client.DELETE('/api/v1/datasets/{dataset_id}/versions/{version}', {
          params: { path: { dataset_id: datasetId, version: String(version) } },
        }),
      ),
    onSuccess: async () => {
      await refreshVersions(queries, datasetId);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Delete version ${version}?`}
      action={deletion}
      leave="Keep it"
      confirm="Delete"
      confirming="Deleting …"
      onClose={onClose}
    >
      The adapted rows of version {version} are deleted, with the report of its run. Its source rows and all
      other versions stay. This cannot be undone.
    </ConfirmDialog>
  );
}
