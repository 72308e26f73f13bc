import { useMemo } from 'react';
import Markdown, { type Components } from 'react-markdown';
import { hrefOf } from '../route.ts';
import { MarkedText } from '../ui/row-text.tsx';
import { isWebAddress } from '../web-address.ts';
import type { Citation } from './answer.ts';
import { citationAt, markAnswer } from './marks.ts';

/**
 * Text of a model as Markdown. HTML in it is text; links lead to http(s) only, and say where; an image is its
 * description and its address, since none is loaded from elsewhere; unseen characters stand there as marks.
 */
export function AnswerMarkdown({
  text,
  marks,
}: {
  readonly text: string;
  readonly marks: ReadonlyMap<number, Citation>;
}) {
  const plugins = useMemo(
    () => [
      [markAnswer, { numbers: new Set(marks.keys()) }] as [
        typeof markAnswer,
        { numbers: ReadonlySet<number> },
      ],
    ],
    [marks],
  );
  const components = useMemo(() => componentsOf(marks), [marks]);
  return (
    <div className="markdown" dir="auto">
      <Markdown rehypePlugins={plugins} components={components} urlTransform={(url) => url}>
        {text}
      </Markdown>
    </div>
  );
}

function componentsOf(marks: ReadonlyMap<number, Citation>): Components {
  return {
    a({ href = '', children }) {
      if (!isWebAddress(href)) return <span>{children}</span>;
      return (
        <a href={href} target="_blank" rel="noreferrer noopener" title={href}>
          {children}
        </a>
      );
    },
    img({ src, alt = '' }) {
      return (
        <span className="image-text">
          Image{alt === '' ? '' : ': '}
          <MarkedText text={alt} /> <code>{<MarkedText text={typeof src === 'string' ? src : ''} />}</code>
        </span>
      );
    },
    // Headings of an answer are below those of the page.
    h1: ({ children }) => <h4>{children}</h4>,
    h2: ({ children }) => <h4>{children}</h4>,
    h3: ({ children }) => <h5>{children}</h5>,
    h4: ({ children }) => <h5>{children}</h5>,
    h5: ({ children }) => <h6>{children}</h6>,
    h6: ({ children }) => <h6>{children}</h6>,
    data({ value, children }) {
      const citation = citationAt(marks, value);
      if (citation !== undefined) return <CitationLink citation={citation}>{children}</CitationLink>;
      return <MarkedText text={String(children ?? '')} />;
    },
  };
}

/** A link to the row that is cited. */
export function CitationLink({
  citation: { datasetId, datasetName, row },
  children,
}: {
  readonly citation: Pick<Citation, 'datasetId' | 'datasetName' | 'row'>;
  readonly children: React.ReactNode;
}) {
  return (
    <a href={hrefOf(['datasets', datasetId, 'rows'], { row })} title={`${datasetName}, row ${row}`}>
      {children}
    </a>
  );
}
