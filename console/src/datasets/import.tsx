import { useMutation } from '@tanstack/react-query';
import { type DragEvent, type FormEvent, useRef, useState } from 'react';
import { dataOf, formatOf } from 'tunesmith';
import { useApi } from '../api.tsx';
import { bytes, plural } from '../format.ts';
import { go, hrefOf } from '../route.ts';
import { TextAreaField, TextField } from '../ui/fields.tsx';
import { Failure, Page, Progress, Section } from '../ui/parts.tsx';
import { ACCEPTED, type UploadProgress, uploadFiles } from './upload.ts';

/** Brings data in: files of this machine, or an address that the service reads itself. */
export default function ImportData() {
  return (
    <Page title="Add data" trail={[{ href: '#/datasets', label: 'Datasets' }]}>
      <FilesForm />
      <AddressForm />
    </Page>
  );
}

function FilesForm() {
  const { client } = useApi();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [name, setName] = useState('');
  const [progress, setProgress] = useState<UploadProgress | null>(null);
  const control = useRef<AbortController>(null);
  const upload = useMutation({
    mutationFn: () => {
      control.current = new AbortController();
      return uploadFiles(client, files, name.trim(), control.current.signal, setProgress);
    },
    onSuccess: (id) => go(hrefOf(['datasets', id])),
    onSettled: () => setProgress(null),
  });
  const choose = (chosen: readonly File[]): void => {
    setFiles(chosen);
    upload.reset();
    const [first] = chosen;
    if (first !== undefined && name === '') setName(first.name);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    upload.mutate();
  };
  const unread = files.filter((file) => formatOf(file.name) === null);
  const wasStopped = upload.error instanceof DOMException && upload.error.name === 'AbortError';
  return (
    <Section
      title="Files"
      note="Tables (CSV, JSON, JSONL, Parquet, Excel) or documents (PDF, Word, PowerPoint, HTML, text, ZIP). Several files of one kind become one dataset, their rows in the order of the files. Images that cells name may come beside a table."
    >
      <form onSubmit={submit} className="stack">
        <FileDrop onChoose={choose} />
        {files.length === 0 ? null : (
          <>
            <ChosenFiles files={files} unread={unread} />
            <TextField label="Name of the dataset" required maxLength={255} value={name} onChange={setName} />
            <div className="line">
              <button
                type="submit"
                className="primary"
                disabled={upload.isPending || unread.length > 0 || name.trim() === ''}
              >
                Upload {plural(files.length, 'file')}
              </button>
              {upload.isPending ? (
                <button type="button" onClick={() => control.current?.abort()}>
                  Stop
                </button>
              ) : null}
            </div>
          </>
        )}
        {upload.isPending ? <Uploading progress={progress} /> : null}
        {upload.isError && !wasStopped ? <Failure error={upload.error} /> : null}
        {wasStopped ? <p role="status">The upload was stopped. Nothing was added.</p> : null}
      </form>
    </Section>
  );
}

/** Takes files that are dropped or chosen. */
function FileDrop({ onChoose }: { readonly onChoose: (files: readonly File[]) => void }) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    onChoose([...event.dataTransfer.files]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is besides the button, which the keyboard reaches
    <div
      className={isOver ? 'drop drop-over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <label htmlFor="files">Drop files here, or choose them</label>
      <input
        id="files"
        type="file"
        multiple
        accept={ACCEPTED}
        onChange={(event) => onChoose([...(event.target.files ?? [])])}
      />
    </div>
  );
}

function ChosenFiles({
  files,
  unread,
}: {
  readonly files: readonly File[];
  /** Those of them that the service cannot read. */
  readonly unread: readonly File[];
}) {
  return (
    <>
      <ul className="files">
        {files.map((file) => (
          <li key={file.name}>
            <span dir="auto">{file.name}</span> <span className="quiet">{bytes(file.size)}</span>
          </li>
        ))}
      </ul>
      {unread.length === 0 ? null : (
        <p role="alert" className="notice notice-bad">
          The service reads no files like {unread.map((file) => file.name).join(', ')}. It knows a file by its
          extension.
        </p>
      )}
    </>
  );
}

function Uploading({ progress }: { readonly progress: UploadProgress | null }) {
  return (
    <div className="stack" role="status">
      <Progress
        label="Upload"
        share={
          progress === null || progress.totalBytes === 0 ? null : progress.sentBytes / progress.totalBytes
        }
      />
      <span className="quiet">
        {progress === null ? 'Starting …' : `${bytes(progress.sentBytes)} of ${bytes(progress.totalBytes)}`}
      </span>
    </div>
  );
}

function AddressForm() {
  const { client } = useApi();
  const [url, setUrl] = useState('');
  const [paths, setPaths] = useState('');
  const files = paths
    .split('\n')
    .map((path) => path.trim())
    .filter((path) => path !== '');
  const isSheet = url.includes('docs.google.com');
  const importing = useMutation({
    mutationFn: () =>
      dataOf(
        client.POST('/api/v1/datasets', {
          body: {
            source: {
              url: url.trim(),
              ...(files.length === 0 ? {} : { files }),
              ...(isSheet ? { access: 'public' as const } : {}),
            },
          },
        }),
      ),
    onSuccess: ({ dataset_id }) => go(hrefOf(['datasets', dataset_id])),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    importing.mutate();
  };
  return (
    <Section
      title="An address"
      note="A dataset at Hugging Face or Kaggle, a Google Sheet that is shared by link, or one public file on S3 or Cloud Storage. The service reads it itself."
    >
      <form onSubmit={submit} className="stack">
        <TextField
          label="Address"
          type="url"
          required
          placeholder="https://huggingface.co/datasets/…"
          value={url}
          onChange={setUrl}
        />
        <TextAreaField
          label="Files"
          hint="Needed for Hugging Face and Kaggle: a path a line, as the hub shows it."
          rows={2}
          value={paths}
          onChange={setPaths}
        />
        <div>
          <button type="submit" disabled={importing.isPending || url.trim() === ''}>
            {importing.isPending ? 'Importing …' : 'Import'}
          </button>
        </div>
        {importing.isError ? <Failure error={importing.error} /> : null}
      </form>
    </Section>
  );
}
