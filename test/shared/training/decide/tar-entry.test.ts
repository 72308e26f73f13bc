import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { tarEntry } from '#shared/training/decide/tar-entry.ts';

test('an entry in front of a packed archive is one of its files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tar-'));
  try {
    writeFileSync(join(folder, 'model.bin'), 'weights');
    execFileSync('tar', ['czf', 'packed.tar.gz', 'model.bin'], { cwd: folder });
    const front = gzipSync(tarEntry('run_report.json', Buffer.from('{"ü": 1}')));
    writeFileSync(
      join(folder, 'both.tar.gz'),
      Buffer.concat([front, readFileSync(join(folder, 'packed.tar.gz'))]),
    );
    rmSync(join(folder, 'model.bin'));

    execFileSync('tar', ['xzf', 'both.tar.gz'], { cwd: folder });

    expect(readFileSync(join(folder, 'run_report.json'), 'utf8')).toBe('{"ü": 1}');
    expect(readFileSync(join(folder, 'model.bin'), 'utf8')).toBe('weights');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
