/** The version of this release: that of package.json and of the newest section of CHANGELOG.md. */
export const RELEASE = '0.2.0';

/**
 * The format of what is kept in the table and the bucket: the one that this release writes, and those that it reads. A change
 * after which an earlier release could not read what is written takes the next number; `npm run deploy` compares them.
 */
export const DATA_FORMAT: { readonly written: number; readonly reads: readonly number[] } = {
  written: 1,
  reads: [1],
};
