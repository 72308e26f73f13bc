// What Stryker leaves alone, for lab/mutations.ts.

/** Texts for people, and words: a wrong word of a closed set does not compile. Templates that build keys are mutated. */
function isText(path) {
  const { node } = path;
  if (node.type === 'StringLiteral') return true;
  if (node.type === 'NewExpression') return /Error$/.test(node.callee.name ?? '');
  return node.type === 'ObjectProperty' && node.key.name === 'message';
}

export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'texts',
    value: {
      shouldIgnore: (path) => (isText(path) ? 'a text, or a word that the compiler checks' : undefined),
    },
  },
];
