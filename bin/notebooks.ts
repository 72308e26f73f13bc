/**
 * Writes the notebooks of `examples/notebooks` from the tutorials: `npx tsx bin/notebooks.ts`. The pages are what is
 * edited; a test fails where a notebook is not what they say.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { repositoryRoot } from '#local/paths.ts';

const FOLDER = 'examples/notebooks';

/** Each notebook, and the tutorials that it is made of. */
export const NOTEBOOKS: Readonly<Record<string, readonly string[]>> = {
  'adapt.ipynb': ['adapt'],
  'find-wrong-rows.ipynb': ['find-wrong-rows'],
  'train-and-answer.ipynb': ['train', 'answer'],
};

/** A notebook runs in its own folder; paths of the pages begin at the root of the repository. */
const START = `import os
from pathlib import Path

here = Path.cwd()
os.chdir(next(folder for folder in [here, *here.parents] if (folder / "examples" / "data").is_dir()))`;

interface Cell {
  readonly cell_type: 'code' | 'markdown';
  readonly text: string;
}

/** The cells of a page: its Python code, and the prose between it. */
function cellsOf(page: string): Cell[] {
  const text = readFileSync(join(repositoryRoot, 'docs/tutorials', `${page}.md`), 'utf8');
  return text.split(/^(```python\n[\s\S]*?^```$)/m).flatMap((part): Cell[] => {
    const code = /^```python\n([\s\S]*)\n```$/.exec(part)?.[1];
    if (code !== undefined) return [{ cell_type: 'code', text: code }];
    const prose = part.trim();
    return prose === '' ? [] : [{ cell_type: 'markdown', text: relinked(prose) }];
  });
}

/** Prose whose links lead from the notebook to the pages. */
const relinked = (prose: string): string =>
  prose.replaceAll(/\]\((?!https?:)([^)]+)\)/g, (_, target: string) => {
    const path = posix.relative(FOLDER, posix.join('docs/tutorials', target));
    return `](${path})`;
  });

/** A notebook of format 4.5 without outputs. */
export function notebookOf(pages: readonly string[]): string {
  const cells = [{ cell_type: 'code', text: START } as Cell, ...pages.flatMap(cellsOf)].map(
    ({ cell_type, text }, index) => ({
      cell_type,
      id: `cell-${index}`,
      metadata: {},
      source: text.split('\n').map((line, n, lines) => (n === lines.length - 1 ? line : `${line}\n`)),
      ...(cell_type === 'code' ? { execution_count: null, outputs: [] } : {}),
    }),
  );
  const kernelspec = { display_name: 'Python 3', language: 'python', name: 'python3' };
  const notebook = { cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 };
  return `${JSON.stringify(notebook, null, 1)}\n`;
}

if (import.meta.filename === process.argv[1]) {
  for (const [name, pages] of Object.entries(NOTEBOOKS)) {
    writeFileSync(join(repositoryRoot, FOLDER, name), notebookOf(pages));
    console.log(`wrote ${FOLDER}/${name}`);
  }
}
