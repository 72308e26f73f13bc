import * as z from 'zod';

export const SampleRate = z.number().min(0.01).max(1).meta({ example: 0.5 });

/** Codes as they come in; fewer targets are taken (`LANGUAGE_TARGETS_MAX`), when those that mean the same are one. */
const CODES_MAX = 500;
const LanguageCode = z.string().min(1).max(20).meta({ example: 'es' });
const CountryCode = z.string().min(1).max(20).meta({ example: 'MX' });

export const TargetLanguages = z.array(LanguageCode).min(1).max(CODES_MAX);
export const TargetPairs = z
  .array(
    z.strictObject({
      country: CountryCode.describe('Country as an ISO 3166-1 alpha-2 code, such as `MX`; case-insensitive.'),
      language: LanguageCode.describe(
        'Language as an ISO 639-1 code, such as `es`, with a script where needed (`zh-Hant`).',
      ),
    }),
  )
  .min(1)
  .max(CODES_MAX);

/** Spec §4.8. Which codes and pairs exist is decided in the domain, which lists samples of them. */
export const LanguageExpansion = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z
        .literal('translate')
        .describe('`translate` adds rows in other languages; `localize` also adapts them to a country.'),
      languages: TargetLanguages.describe(
        'Target languages, 1 to 50 different ones: ISO 639-1 codes, three-letter codes where no two-letter code exists, `zh-Hans` or `zh-Hant` for Chinese. Case-insensitive.',
      ),
      sample_rate: SampleRate.describe('Share of the rows that is expanded for each target, 0.01 to 1.'),
    }),
    z.strictObject({
      type: z
        .literal('localize')
        .describe('`translate` adds rows in other languages; `localize` also adapts them to a country.'),
      pairs: TargetPairs.describe('Target countries with their languages, 1 to 50 different pairs.'),
      sample_rate: SampleRate.describe('Share of the rows that is expanded for each target, 0.01 to 1.'),
    }),
  ])
  .meta({ id: 'LanguageExpansion' });
export type LanguageExpansion = z.infer<typeof LanguageExpansion>;
