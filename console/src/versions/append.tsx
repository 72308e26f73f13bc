import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { dataOf, type Schemas, TunesmithError } from 'tunesmith';
import { useApi, usePolling } from '../api.tsx';
import type { DatasetStatus } from '../datasets/dataset.tsx';
import { ACCEPTED, type UploadProgress } from '../datasets/upload.ts';
import { bytes, plural } from '../format.ts';
import { useLaunchOnce } from '../launch-once.ts';
import { hrefOf } from '../route.ts';
import { Choice, Field, TextAreaField } from '../ui/fields.tsx';
import { Failure, Loading, Progress, Section } from '../ui/parts.tsx';
import { rowsFormatOf, uploadRows } from './append-file.ts';
import { readPasted } from './pasted-rows.ts';
import { refreshVersions } from './queries.ts';

type Append = Schemas['Append'];
/** What is appended: rows, or the file that was uploaded under a key. */
type Source = Pick<Schemas['AppendRequest'], 'rows' | 's3_key'>;

/** A form for rows to append, and the state of the append that the address names. */
export function AppendRows(props: {
  readonly datasetId: string;
  readonly status: Pick<DatasetStatus, 'status' | 'row_count'>;
  /** Append that the address names; null for none. */
  readonly appendId: string | null;
  readonly onAppend: (appendId: string) => void;
}) {
  const { datasetId, status, appendId, onAppend } = props;
  return (
    <Section
      title="Append rows"
      note="Appended rows become the next version. They have the columns and types of the dataset; if one does not fit, none is appended. An adaptation then asks models about the new rows only."
    >
      {appendId === null ? null : (
        <AppendState key={appendId} datasetId={datasetId} appendId={appendId} status={status} />
      )}
      {status.row_count === null ? (
        <p className="note">Rows can be appended once the dataset has some.</p>
      ) : (
        <AppendForm datasetId={datasetId} onAppend={onAppend} />
      )}
    </Section>
  );
}

/** Uploads a file once: what is uploaded already is appended by its key, so that a repetition appends it once too. */
function useUpload(datasetId: string, onUploaded: (key: string) => void) {
  const { client } = useApi();
  const [progress, setProgress] = useState<UploadProgress | null>(null);
  const uploaded = useRef<{ readonly file: File; readonly key: string }>(null);
  const control = useRef<AbortController>(null);
  const upload = useMutation({
    mutationFn: async (file: File) => {
      if (uploaded.current?.file === file) return uploaded.current.key;
      control.current = new AbortController();
      const key = await uploadRows(client, datasetId, file, control.current.signal, setProgress);
      uploaded.current = { file, key };
      return key;
    },
    onSuccess: onUploaded,
    onSettled: () => setProgress(null),
  });
  const wasStopped = upload.error instanceof DOMException && upload.error.name === 'AbortError';
  return {
    progress,
    isPending: upload.isPending,
    error: wasStopped ? null : upload.error,
    start: (file: File): void => {
      if (!upload.isPending) upload.mutate(file);
    },
    stop: () => control.current?.abort(),
    forget: () => {
      uploaded.current = null;
    },
  };
}

/** Appends rows, or a file after its upload, once however often it is sent. */
function useAppendOnce(datasetId: string, onSent: () => void, onAppend: (appendId: string) => void) {
  const { client } = useApi();
  const launch = useLaunchOnce(
    datasetId,
    async (source: Source, key) => {
      try {
        return await dataOf(
          client.POST('/api/v1/datasets/{dataset_id}/rows', {
            params: { path: { dataset_id: datasetId }, header: { 'Idempotency-Key': key } },
            body: source,
          }),
        );
      } catch (error) {
        if (isUploadGone(error)) upload.forget();
        throw error;
      }
    },
    ({ append_id: id }: Append) => {
      onSent();
      upload.forget();
      if (id !== null) onAppend(id);
    },
  );
  const upload = useUpload(datasetId, (key) => launch.start({ s3_key: key }));
  return { launch, upload };
}

function AppendForm({
  datasetId,
  onAppend,
}: {
  readonly datasetId: string;
  readonly onAppend: (appendId: string) => void;
}) {
  const [isFile, setIsFile] = useState(false);
  const [text, setText] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string>();
  /** Whether something was changed since the last answer, which is then of something else. */
  const [isChanged, setChanged] = useState(false);
  /** Counts what was appended: the field of the file begins anew. */
  const [sent, setSent] = useState(0);
  const { launch, upload } = useAppendOnce(
    datasetId,
    () => {
      setText('');
      setFile(null);
      setSent((before) => before + 1);
    },
    onAppend,
  );
  const change = (): void => {
    setProblem(undefined);
    setChanged(true);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setChanged(false);
    if (isFile) {
      if (file === null) setProblem('Choose a file.');
      else if (rowsFormatOf(file.name) === null) {
        setProblem('The service reads no rows from files like this. It knows a file by its extension.');
      } else upload.start(file);
      return;
    }
    const pasted = readPasted(text);
    if (pasted.kind === 'problem') setProblem(pasted.problem);
    else launch.start({ rows: pasted.rows });
  };
  const isWorking = upload.isPending || launch.isPending;
  const error = isChanged || isWorking ? null : (upload.error ?? launch.error);
  return (
    <form onSubmit={submit} className="stack" aria-label="Rows to append">
      <SourceChoice
        isFile={isFile}
        isDisabled={isWorking}
        onChange={(chosen) => {
          setIsFile(chosen);
          change();
        }}
      />
      {isFile ? (
        <FileField
          key={sent}
          problem={problem}
          isDisabled={isWorking}
          onChoose={(chosen) => {
            setFile(chosen);
            change();
          }}
        />
      ) : (
        <PastedRows
          problem={problem}
          isDisabled={isWorking}
          value={text}
          onChange={(typed) => {
            setText(typed);
            change();
          }}
        />
      )}
      <Foot isWorking={isWorking} upload={upload} />
      {error === null ? null : <Failure error={error} />}
    </form>
  );
}

function SourceChoice({
  isFile,
  isDisabled,
  onChange,
}: {
  readonly isFile: boolean;
  readonly isDisabled: boolean;
  readonly onChange: (isFile: boolean) => void;
}) {
  const name = useId();
  return (
    <fieldset>
      <legend>Where the rows are</legend>
      {[false, true].map((each) => (
        <Choice
          key={String(each)}
          type="radio"
          name={name}
          label={each ? 'In a file' : 'Here, as JSON'}
          checked={isFile === each}
          disabled={isDisabled}
          onChange={() => onChange(each)}
        />
      ))}
    </fieldset>
  );
}

function PastedRows({
  problem,
  isDisabled,
  value,
  onChange,
}: {
  readonly problem: string | undefined;
  readonly isDisabled: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <TextAreaField
      label="Rows as JSON"
      hint="One array of objects, or one object on each line: cells by column. A column that is left out is empty there."
      problem={problem}
      placeholder={'{"question": "What is …", "answer": "It is …"}'}
      rows={8}
      spellCheck={false}
      dir="auto"
      disabled={isDisabled}
      value={value}
      onChange={onChange}
    />
  );
}

function FileField({
  problem,
  isDisabled,
  onChoose,
}: {
  readonly problem: string | undefined;
  readonly isDisabled: boolean;
  readonly onChoose: (file: File | null) => void;
}) {
  return (
    <Field
      label="File with rows"
      hint="A table such as CSV, JSON, JSONL or Parquet, with the columns of the dataset."
      problem={problem}
    >
      {(control) => (
        <input
          {...control}
          type="file"
          accept={ACCEPTED}
          disabled={isDisabled}
          onChange={(event) => onChoose(event.target.files?.[0] ?? null)}
        />
      )}
    </Field>
  );
}

function Foot({
  isWorking,
  upload,
}: {
  readonly isWorking: boolean;
  readonly upload: Pick<ReturnType<typeof useUpload>, 'isPending' | 'stop' | 'progress'>;
}) {
  return (
    <>
      <div className="line">
        <button type="submit" className="primary" disabled={isWorking}>
          {isWorking ? 'Sending …' : 'Append the rows'}
        </button>
        {upload.isPending ? (
          <button type="button" onClick={upload.stop}>
            Stop
          </button>
        ) : null}
      </div>
      {upload.progress === null ? null : <Uploading progress={upload.progress} />}
    </>
  );
}

function Uploading({ progress }: { readonly progress: UploadProgress }) {
  return (
    <div className="stack" role="status">
      <Progress label="Upload" share={shareOf(progress)} />
      <span className="quiet">
        {bytes(progress.sentBytes)} of {bytes(progress.totalBytes)}
      </span>
    </div>
  );
}

/** Whether a file has to be uploaded again. */
const isUploadGone = (error: unknown): boolean =>
  error instanceof TunesmithError && error.code === 'upload_missing';

const shareOf = ({ sentBytes, totalBytes }: UploadProgress): number | null =>
  totalBytes === 0 ? null : sentBytes / totalBytes;

export const appendKey = (datasetId: string, appendId: string) => ['append', datasetId, appendId] as const;

/** An append, asked for again until its rows are there. */
function useAppend(datasetId: string, appendId: string) {
  const { client } = useApi();
  const refetchInterval = usePolling<Append>((append) => append?.status === 'pending');
  return useQuery({
    queryKey: appendKey(datasetId, appendId),
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/v1/datasets/{dataset_id}/appends/{append_id}', {
          signal,
          params: { path: { dataset_id: datasetId, append_id: appendId } },
        }),
      ),
    refetchInterval,
  });
}

/** What an append does: it waits, it landed as a version, or why it failed. */
export function AppendState({
  datasetId,
  appendId,
  status,
}: {
  readonly datasetId: string;
  readonly appendId: string;
  readonly status: Pick<DatasetStatus, 'status'>;
}) {
  const append = useAppend(datasetId, appendId);
  const queries = useQueryClient();
  const version = append.data?.version ?? null;
  useEffect(() => {
    if (version !== null) void refreshVersions(queries, datasetId);
  }, [queries, datasetId, version]);
  if (append.isError) return <Failure error={append.error} retry={() => append.refetch()} />;
  if (append.data === undefined) return <Loading what="the append" />;
  const { status: state, appended_rows: rows, error_data: problem } = append.data;
  const what = rows === null ? 'The rows' : plural(rows, 'row');
  if (state === 'failed') {
    return (
      <div className="notice notice-bad" role="alert">
        <p>
          <strong>Nothing was appended.</strong> {problem?.message}
        </p>
      </div>
    );
  }
  if (version === null) {
    return (
      <div className="card stack">
        <p role="status">
          {status.status === 'running'
            ? `${what} ${rows === 1 ? 'waits' : 'wait'} for the active run, and ${rows === 1 ? 'is' : 'are'} added when it has ended.`
            : `${what} ${rows === 1 ? 'is' : 'are'} being added …`}
        </p>
        <Progress label="Append" share={null} />
      </div>
    );
  }
  return (
    <div className="card stack">
      <p role="status">
        {what} {rows === 1 ? 'was' : 'were'} appended: version {version}.
      </p>
      <div className="line">
        <a className="button primary" href={hrefOf(['datasets', datasetId, 'adapt'])}>
          Adapt the dataset
        </a>
        <a className="button" href={hrefOf(['datasets', datasetId, 'rows'], { version })}>
          Look at its rows
        </a>
      </div>
    </div>
  );
}
