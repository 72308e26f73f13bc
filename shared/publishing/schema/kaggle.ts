import * as z from 'zod';

/** What Kaggle calls the licenses of datasets: https://github.com/Kaggle/kaggle-api/blob/main/docs/datasets_metadata.md */
export const KAGGLE_LICENSES = [
  'CC0-1.0',
  'CC-BY-3.0',
  'CC-BY-3.0-IGO',
  'CC-BY-4.0',
  'CC-BY-SA-3.0',
  'CC-BY-SA-4.0',
  'CC-BY-NC-4.0',
  'CC-BY-NC-SA-3.0-IGO',
  'CC-BY-NC-SA-4.0',
  'CC-BY-ND-4.0',
  'CC-BY-NC-ND-4.0',
  'CDLA-Permissive-1.0',
  'CDLA-Sharing-1.0',
  'ODbL-1.0',
  'DbCL-1.0',
  'ODC-BY-1.0',
  'PDDL',
  'apache-2.0',
  'GPL-2.0',
  'GPL-3.0',
  'LGPL-3.0',
  'AGPL-3.0',
  'FDL-1.3',
  'EU-ODP-Legal-Notice',
  'US-Government-Works',
  'copyright-authors',
  'other',
  'unknown',
] as const;

/** What Hugging Face calls some of them. */
const ALSO_KNOWN_AS: ReadonlyMap<string, string> = new Map([
  ['odbl', 'ODbL-1.0'],
  ['odc-by', 'ODC-BY-1.0'],
  ['gfdl', 'FDL-1.3'],
]);

const License = z.string().transform((text, context) => {
  const named = (ALSO_KNOWN_AS.get(text.toLowerCase()) ?? text).toLowerCase();
  const found = KAGGLE_LICENSES.find((license) => license.toLowerCase() === named);
  if (found !== undefined) return found;
  context.addIssue({
    code: 'custom',
    message: `must be a license that Kaggle knows: ${KAGGLE_LICENSES.join(', ')}`,
  });
  return z.NEVER;
});

const REPO_NAME =
  'must be `name` or `owner/name`; the name has 6 to 50 characters: lower-case letters, digits, and single hyphens between them';

/** What `target_spec` says for Kaggle. The bounds are those of Kaggle's own client. */
export const KaggleSpec = z.strictObject({
  repo_name: z
    .string()
    .max(120)
    .regex(/^(?:[A-Za-z0-9][A-Za-z0-9_-]{0,63}\/)?(?=[a-z0-9-]{6,50}$)[a-z0-9]+(?:-[a-z0-9]+)*$/, REPO_NAME),
  title: z
    .string()
    .trim()
    .min(6)
    .max(50)
    .regex(/^[^\p{Cc}]*$/u, 'must be one line')
    .optional(),
  private: z.boolean().default(true),
  license: License.optional(),
  version: z.int().min(1).optional(),
  commit_message: z.string().min(1).max(200).optional(),
});
export type KaggleSpec = z.infer<typeof KaggleSpec>;
