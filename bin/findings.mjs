// Formats findings of the doctor as text. Plain JavaScript without dependencies: `npm run doctor` runs before they are
// installed.

const marks = { ok: ' ok ', note: 'note', missing: 'MISSING' };

/**
 * A table of findings: status, subject, result, and below that the fix.
 * @param {readonly import('./findings.d.mts').Finding[]} findings
 * @returns {string}
 */
export function renderFindings(findings) {
  const width = Math.max(15, ...findings.map(({ name }) => name.length + 2));
  const indent = `\n${' '.repeat(8 + width)}`;
  return findings
    .map(({ state, name, found, advice }) => {
      const lines = advice === undefined ? [found] : [found, advice];
      return `${marks[state].padEnd(8)}${name.padEnd(width)}${lines.join('\n').replaceAll('\n', indent)}\n`;
    })
    .join('');
}
