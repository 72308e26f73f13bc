import { execFileSync } from 'node:child_process';
import { repositoryRoot } from '#local/paths.ts';

/** A line of `git grep` that is a comment: `path:  * text`. */
const COMMENT = /^[^:]*:\s*(?:\/?\*|\/\/)/;

/**
 * Modules of this repository whose code (not a comment) contains one of these names, such as modules that read a
 * non-module file.
 */
export function filesNaming(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const patterns = names.flatMap((name) => ['-e', name]);
  try {
    const lines = execFileSync('git', ['grep', '-F', ...patterns, '--', '*.ts'], {
      cwd: repositoryRoot,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
      .split('\n')
      .filter((line) => line !== '' && !COMMENT.test(line));
    return [...new Set(lines.map((line) => line.slice(0, line.indexOf(':'))))];
  } catch (error) {
    // git grep exits with 1 if it finds nothing.
    if ((error as { status?: number }).status === 1) return [];
    throw error;
  }
}
