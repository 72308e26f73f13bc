import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, TunesmithError } from 'tunesmith';
import { useApi } from '../api.tsx';
import { count, credits, plural, words } from '../format.ts';
import { Choice } from '../ui/fields.tsx';
import { Failure, State } from '../ui/parts.tsx';
import { MarkedText, RowText } from '../ui/row-text.tsx';
import { type Answer, type Item, marksOf, sourcesOf } from './answer.ts';
import { AnswerMarkdown, CitationLink } from './markdown.tsx';
import { type Pane, tokensOf, waitingIn } from './panes.ts';

/** The answers of all models side by side, as Markdown or as the text that they are. */
export function AnswerColumns(props: {
  readonly panes: readonly Pane[];
  readonly nameOf: (model: string) => string;
  readonly onDecide: (pane: Pane) => void;
}) {
  const [isPlain, setPlain] = useState(false);
  return (
    <>
      <Choice label="Show answers as plain text" checked={isPlain} onChange={setPlain} />
      <div className="panes">
        {props.panes.map((pane) => (
          <AnswerColumn
            key={pane.model}
            pane={pane}
            name={props.nameOf(pane.model)}
            isPlain={isPlain}
            onDecide={() => props.onDecide(pane)}
          />
        ))}
      </div>
    </>
  );
}

function AnswerColumn({
  pane,
  name,
  isPlain,
  onDecide,
}: {
  readonly pane: Pane;
  readonly name: string;
  readonly isPlain: boolean;
  readonly onDecide: () => void;
}) {
  const waiting = waitingIn(pane);
  return (
    <article className="card stack pane" aria-label={`Answer of ${name}`} aria-busy={pane.isRunning}>
      <div className="section-head">
        <h3 dir="auto">{name}</h3>
        <PaneState pane={pane} />
      </div>
      {pane.turns.map((answer, at) => (
        <TurnItems
          // A turn has no identity before its first event; turns are only added.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={at}
          answer={answer}
          isPlain={isPlain}
        />
      ))}
      {pane.error === null ? null : <Failure error={pane.error} />}
      {waiting.length === 0 ? null : (
        <div className="notice notice-warn line">
          <span>{waiting.length === 1 ? 'A call waits' : `${waiting.length} calls wait`} for you.</span>
          <button type="button" onClick={onDecide}>
            Decide
          </button>
        </div>
      )}
      <PaneFoot pane={pane} />
    </article>
  );
}

function PaneFoot({ pane }: { readonly pane: Pane }) {
  const cost = useCostOf(pane);
  return (
    <p className="hint pane-foot" role="status">
      {pane.isRunning ? '' : [...footOf(pane), ...(cost === null ? [] : [cost])].join(', ')}
    </p>
  );
}

function footOf(pane: Pane): string[] {
  const tokens = tokensOf(pane);
  const time = pane.seconds === 0 ? [] : [`${pane.seconds.toFixed(1)} s`];
  if (tokens === null) return time;
  return [`${count(tokens.input)} tokens read`, `${count(tokens.output)} written`, ...time];
}

/** What the turns of a pane were billed, in words; null until it is known of all of them. */
function useCostOf({ turns, isRunning }: Pane): string | null {
  const { client } = useApi();
  const ids = turns.flatMap(({ id }) => id ?? []);
  const costs = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['answer-cost', id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        dataOf(
          client.GET('/api/v1/credits/answers/{response_id}', {
            signal,
            params: { path: { response_id: id } },
          }),
        ),
      enabled: !isRunning,
      // An answer is billed in the moment after its last event, and what it was billed never changes.
      retry: (failures: number, error: Error) => failures < BILLING_RETRIES_MAX && isUnbilled(error),
      retryDelay: BILLING_RETRY_MS,
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const billed = costs.flatMap(({ data }) => data?.billed_credits ?? []);
  if (billed.length === 0 || billed.length < ids.length) return null;
  return `${credits(billed.reduce((sum, each) => sum + each, 0))} credits`;
}

const BILLING_RETRIES_MAX = 5;
const BILLING_RETRY_MS = 1000;
const isUnbilled = (error: Error): boolean =>
  error instanceof TunesmithError && error.code === 'response_not_found';

const STATES = {
  waiting: { tone: 'pending', label: 'waiting' },
  streaming: { tone: 'running', label: 'writing' },
  completed: { tone: 'succeeded', label: 'done' },
  incomplete: { tone: 'cancelled', label: 'cut off' },
  failed: { tone: 'failed', label: 'failed' },
  stopped: { tone: 'cancelled', label: 'stopped' },
} as const;

function PaneState({ pane }: { readonly pane: Pane }) {
  if (pane.error !== null) return <State value="failed" label="failed" />;
  if (waitingIn(pane).length > 0) return <State value="cancelled" label="asks you" />;
  const { tone, label } = STATES[pane.turns.at(-1)?.status ?? 'waiting'];
  return <State value={tone} label={label} />;
}

function TurnItems({ answer, isPlain }: { readonly answer: Answer; readonly isPlain: boolean }) {
  return (
    <>
      {answer.items.map((item, at) =>
        item === undefined ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item is known by its place in the output
          <ItemView key={at} item={item} isPlain={isPlain} />
        ),
      )}
      {answer.problem === null ? null : (
        <p className={answer.status === 'failed' ? 'notice notice-bad' : 'notice notice-warn'} role="alert">
          <MarkedText text={answer.problem} />
        </p>
      )}
    </>
  );
}

function ItemView({ item, isPlain }: { readonly item: Item; readonly isPlain: boolean }) {
  switch (item.kind) {
    case 'message':
      return <MessageView item={item} isPlain={isPlain} />;
    case 'reasoning':
      return item.text === '' ? null : (
        <details className="step">
          <summary>Reasoning</summary>
          <RowText text={item.text} />
        </details>
      );
    case 'search':
      return <SearchView item={item} />;
    case 'tools':
      return (
        <details className="step">
          <summary>
            {item.error === null ? plural(item.names.length, 'tool') : 'No tools'} of{' '}
            <MarkedText text={item.server} />
          </summary>
          <RowText text={item.error ?? item.names.join(', ')} />
        </details>
      );
    case 'call':
      return <CallView item={item} />;
    case 'approval':
      return (
        <p className="step">
          Asks to call <code dir="auto">{<MarkedText text={item.name} />}</code> of{' '}
          <MarkedText text={item.server} />
        </p>
      );
    case 'other':
      return (
        <details className="step">
          <summary>
            <MarkedText text={words(item.type)} />
          </summary>
          <pre dir="auto">
            <MarkedText text={item.text} />
          </pre>
        </details>
      );
  }
}

function MessageView({
  item,
  isPlain,
}: {
  readonly item: Extract<Item, { kind: 'message' }>;
  readonly isPlain: boolean;
}) {
  const sources = sourcesOf(item.texts.flatMap(({ citations }) => citations));
  return (
    <>
      {item.texts.map((part, at) =>
        isPlain ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place in the message
          <p key={at} className="text" dir="auto">
            <MarkedText text={part.text} />
          </p>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place in the message
          <AnswerMarkdown key={at} text={part.text} marks={marksOf(part)} />
        ),
      )}
      {sources.length === 0 ? null : (
        <ul className="sources" aria-label="Rows that it cites">
          {sources.map((citation) => (
            <li key={`${citation.datasetId} ${citation.row}`}>
              <CitationLink citation={citation}>
                <span dir="auto">
                  <MarkedText text={citation.datasetName} />
                </span>
                , row {citation.row}
              </CitationLink>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function SearchView({ item }: { readonly item: Extract<Item, { kind: 'search' }> }) {
  const isDone = item.status === 'completed' || item.results.length > 0;
  return (
    <details className="step">
      <summary>{isDone ? `Found ${plural(item.results.length, 'row')}` : 'Searches the datasets …'}</summary>
      <div className="stack">
        {item.queries.map((query) => (
          <p key={query} className="quiet" dir="auto">
            “<MarkedText text={query} />”
          </p>
        ))}
        {item.results.map((result) => (
          <div key={`${result.datasetId} ${result.row}`}>
            <p>
              {result.passage === null ? '' : `[${result.passage}] `}
              <CitationLink citation={result}>
                <span dir="auto">
                  <MarkedText text={result.datasetName} />
                </span>
                , row {result.row}
              </CitationLink>
            </p>
            <RowText text={result.text} />
          </div>
        ))}
      </div>
    </details>
  );
}

function CallView({ item }: { readonly item: Extract<Item, { kind: 'call' }> }) {
  const isOpen = item.output === null && item.error === null;
  return (
    <details className="step">
      <summary>
        {item.error === null ? (isOpen ? 'Calls ' : 'Called ') : 'Failed to call '}
        <code dir="auto">
          <MarkedText text={item.name} />
        </code>{' '}
        of <MarkedText text={item.server} />
      </summary>
      <div className="stack">
        <pre dir="auto">
          <MarkedText text={readableJson(item.arguments)} />
        </pre>
        {item.error === null ? null : <RowText text={item.error} label="Error" />}
        {item.output === null ? null : <RowText text={item.output} label="Result" />}
      </div>
    </details>
  );
}

/** JSON with a field a line; a text that is none stays as it is. */
export function readableJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
