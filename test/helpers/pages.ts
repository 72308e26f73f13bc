import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { repositoryRoot } from '#local/paths.ts';

/** The pages that people read, as paths from the root. */
export function listPages(): string[] {
  const docs = readdirSync(join(repositoryRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => posix.join('docs', path));
  const readmes = readdirSync(join(repositoryRoot, 'shared')).map((name) => `shared/${name}/README.md`);
  const others = ['clients/typescript', 'examples', 'trainer/embedded', 'trainer/gpu'].map(
    (folder) => `${folder}/README.md`,
  );
  return ['README.md', 'CONTRIBUTING.md', ...others, ...readmes, ...docs].sort();
}

export function readPage(path: string): string {
  return readFileSync(join(repositoryRoot, path), 'utf8');
}

/** The cells of the rows of all tables of a page, without their headings. */
export function tableRows(page: string): string[][] {
  const lines = page.split('\n');
  const isRow = (line: string | undefined): boolean => line?.startsWith('|') === true;
  return lines
    .filter(
      (line, index) =>
        isRow(line) && !/^\|[\s:|-]+\|$/.test(line) && !/^\|[\s:|-]+\|$/.test(lines[index + 1] ?? ''),
    )
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}

/** The fenced code blocks of a page in the given language, in order. */
export function codeBlocks(page: string, language: string): string[] {
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , code = '']) => code);
}
