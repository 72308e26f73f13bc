import { execFileSync } from 'node:child_process';
import { repositoryRoot } from '#local/paths.ts';

/** Modules of this repository that say one of these names, as those do that read a file which is no module. */
export function filesNaming(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const patterns = names.flatMap((name) => ['-e', name]);
  try {
    return execFileSync('git', ['grep', '-lF', ...patterns, '--', '*.ts'], {
      cwd: repositoryRoot,
      encoding: 'utf8',
    })
      .split('\n')
      .filter(Boolean);
  } catch (error) {
    // git grep ends with 1 where it finds nothing.
    if ((error as { status?: number }).status === 1) return [];
    throw error;
  }
}
