import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import { API, type Project } from 'typescript/unstable/sync';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** What is read from each file below the folders, as TypeScript parses it. `path` is that from the repository's root. */
export function readSources<T>(
  folders: readonly string[],
  read: (path: string, file: SourceFile, project: Project) => readonly T[],
): T[] {
  const api = new API({ cwd: ROOT });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(ROOT, 'tsconfig.json')] });
    const project = snapshot.getProjects()[0];
    if (project === undefined) throw new Error('TypeScript opens no project');
    return project.program
      .getSourceFileNames()
      .map((name) => ({ name, path: relative(ROOT, name) }))
      .filter(
        ({ path }) =>
          folders.some((folder) => path.startsWith(`${folder}/`)) && !path.includes('node_modules'),
      )
      .flatMap(({ name, path }) => read(path, project.program.getSourceFile(name) as SourceFile, project));
  } finally {
    api.close();
  }
}

/** Visits a node and all below it. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  node.forEachChild((child) => {
    walk(child, visit);
  });
}
