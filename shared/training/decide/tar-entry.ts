const BLOCK = 512;

/**
 * A file as an entry of a tar archive, without the blocks that end one (POSIX.1-1988, ustar).
 * @param name ASCII, at most 100 characters
 */
export function tarEntry(name: string, body: Buffer): Buffer {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, digits: number): void => {
    header.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1');
  };
  header.write(name, 0, 100, 'latin1');
  octal(0o644, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(body.length, 124, 11);
  octal(0, 136, 11);
  header.write(' '.repeat(8), 148, 'latin1');
  header.write('0', 156, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  const padding = Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK);
  return Buffer.concat([header, body, padding]);
}
