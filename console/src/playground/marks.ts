import { hasMarks } from '../ui/mark-text.ts';
import type { Citation } from './answer.ts';

/** A node of the tree that Markdown becomes. */
interface Node {
  readonly type: string;
  readonly value?: string;
  readonly tagName?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  children?: Node[];
}

const MARK = /\[(\d{1,5})\]/g;

/**
 * Changes the tree of an answer: marks `[n]` of known numbers become `<data value="citation-n">`, but not in code, and
 * texts with characters that would not be seen become `<data>` without a value.
 */
export function markAnswer({ numbers }: { readonly numbers: ReadonlySet<number> }) {
  return (tree: Node): void => visit(tree, numbers, false);
}

function visit(node: Node, numbers: ReadonlySet<number>, isCode: boolean): void {
  if (node.children === undefined) return;
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text') return pieces(child.value ?? '', isCode ? null : numbers);
    // HTML in Markdown is shown as what it is.
    if (child.type === 'raw') return pieces(child.value ?? '', null);
    visit(child, numbers, isCode || child.tagName === 'code' || child.tagName === 'a');
    return [child];
  });
}

function pieces(text: string, numbers: ReadonlySet<number> | null): Node[] {
  const found: Node[] = [];
  let from = 0;
  for (const match of numbers === null ? [] : text.matchAll(MARK)) {
    if (numbers?.has(Number(match[1])) !== true) continue;
    found.push(...plain(text.slice(from, match.index)), dataNode(match[0], `citation-${match[1]}`));
    from = match.index + match[0].length;
  }
  return [...found, ...plain(text.slice(from))];
}

const plain = (text: string): Node[] => {
  if (text === '') return [];
  return hasMarks(text) ? [dataNode(text)] : [{ type: 'text', value: text }];
};

const dataNode = (text: string, value?: string): Node => ({
  type: 'element',
  tagName: 'data',
  properties: value === undefined ? {} : { value },
  children: [{ type: 'text', value: text }],
});

/** The citation that a `<data>` of the tree stands for. */
export function citationAt(marks: ReadonlyMap<number, Citation>, value: unknown): Citation | undefined {
  const number = /^citation-(\d+)$/.exec(String(value))?.[1];
  return number === undefined ? undefined : marks.get(Number(number));
}
