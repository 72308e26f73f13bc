import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const FILE = new URL('../shared/languages/decide/cldr.json', import.meta.url);

/** The data of `shared/languages/decide/catalog.ts`; strings with several fields, to keep it small. */
export interface CldrExtract {
  readonly version: string;
  /** `name|likely script|other scripts…` by language. */
  readonly languages: Record<string, string>;
  /** Codes that CLDR replaces with others. */
  readonly aliases: Record<string, string>;
  /** Names of the scripts. */
  readonly scripts: Record<string, string>;
  /** `name|codes of the languages spoken there` by country. */
  readonly territories: Record<string, string>;
}

interface Territory {
  readonly languagePopulation?: Record<string, { _populationPercent: string; _officialStatus?: string }>;
}
interface CldrFiles {
  readonly version: string;
  readonly likely: Record<string, string>;
  readonly languageData: Record<string, { _scripts?: string[] }>;
  readonly territoryInfo: Record<string, Territory>;
  readonly codes: Record<string, { _numeric?: string }>;
  readonly aliases: Record<string, { _replacement: string }>;
  readonly locales: readonly string[];
  readonly languageNames: Record<string, string>;
  readonly territoryNames: Record<string, string>;
  readonly scriptNames: Record<string, string>;
}

function readCldr(): CldrFiles {
  const require = createRequire(import.meta.url);
  const read = (path: string) => JSON.parse(readFileSync(require.resolve(path), 'utf8'));
  const supplemental = (name: string) => read(`cldr-core/supplemental/${name}.json`).supplemental;
  const names = (name: string) =>
    read(`cldr-localenames-full/main/en/${name}.json`).main.en.localeDisplayNames;
  return {
    version: read('cldr-core/package.json').version,
    likely: supplemental('likelySubtags').likelySubtags,
    languageData: supplemental('languageData').languageData,
    territoryInfo: supplemental('territoryInfo').territoryInfo,
    codes: supplemental('codeMappings').codeMappings,
    aliases: supplemental('aliases').metadata.alias.languageAlias,
    locales: read('cldr-core/availableLocales.json').availableLocales.full,
    languageNames: names('languages').languages,
    territoryNames: names('territories').territories,
    scriptNames: names('scripts').scripts,
  };
}

/** Codes that CLDR has names for, but that do not mean a single language. */
const NO_LANGUAGE = ['mis', 'mul', 'und', 'zxx'];

const scriptOf = (tag: string | undefined): string | undefined =>
  tag?.split('-').find((part) => /^[A-Z][a-z]{3}$/.test(part));

/**
 * Extracts from CLDR the languages with a two-letter code, and those with a three-letter code that are spoken in a
 * territory or have a locale; their scripts; and for each country of ISO 3166-1 the languages that are official there,
 * have speakers there, or have a locale for it.
 */
export function extractCldr(cldr: CldrFiles = readCldr()): CldrExtract {
  const { likely, territoryInfo, languageNames, aliases } = cldr;
  const locales = cldr.locales.map((tag) => {
    const [language = ''] = tag.split('-');
    return {
      language,
      script: scriptOf(tag),
      territory: tag.split('-').find((part) => /^[A-Z]{2}$/.test(part)),
    };
  });
  const spoken = Object.entries(territoryInfo).flatMap(([territory, { languagePopulation = {} }]) =>
    Object.entries(languagePopulation).flatMap(([key, { _populationPercent, _officialStatus }]) => {
      const [language = '', script] = key.split('_');
      const isReal = Number(_populationPercent) > 0 || _officialStatus !== undefined;
      return isReal ? [{ language, script, territory }] : [];
    }),
  );
  const uses = [...spoken, ...locales];
  const known = new Set(uses.map(({ language }) => language));
  const languages = Object.keys(languageNames)
    .filter((code) => /^[a-z]{2,3}$/.test(code) && !NO_LANGUAGE.includes(code))
    .filter((code) => !(code in aliases) && scriptOf(likely[code]) !== undefined)
    .filter((code) => code.length === 2 || known.has(code))
    .sort();

  const likelyScript = (language: string, territory?: string): string =>
    scriptOf(likely[`${language}-${territory}`]) ?? scriptOf(likely[language]) ?? '';
  const scripts = new Map(languages.map((code) => [code, new Set([likelyScript(code)])]));
  for (const code of languages) {
    for (const script of cldr.languageData[code]?._scripts ?? []) scripts.get(code)?.add(script);
  }
  for (const { language, script, territory } of uses) {
    scripts.get(language)?.add(script ?? likelyScript(language, territory));
  }

  const spokenIn = new Map<string, Set<string>>();
  for (const { language, script, territory } of uses) {
    if (territory === undefined || !scripts.has(language)) continue;
    const written = script ?? likelyScript(language, territory);
    const isPlain = language !== 'zh' && written === likelyScript(language);
    const codes = spokenIn.get(territory) ?? new Set();
    spokenIn.set(territory, codes.add(isPlain ? language : `${language}-${written}`));
  }
  // Numbers from 900 on are user-assigned, such as that of Kosovo, and not part of ISO 3166-1.
  const isCountry = (code: string) =>
    /^[A-Z]{2}$/.test(code) && code in territoryInfo && Number(cldr.codes[code]?._numeric ?? 900) < 900;

  return {
    version: cldr.version,
    languages: Object.fromEntries(
      languages.map((code) => [code, [languageNames[code], ...(scripts.get(code) ?? [])].join('|')]),
    ),
    aliases: Object.fromEntries(
      Object.entries(aliases)
        .filter(
          ([code, { _replacement: other }]) =>
            /^[a-z]{2}$/.test(code) && scripts.has(other.split('-')[0] ?? ''),
        )
        .map(([code, { _replacement: other }]) => [code, other]),
    ),
    scripts: Object.fromEntries(
      [...new Set([...scripts.values()].flatMap((written) => [...written]))]
        .sort()
        .map((script) => [script, cldr.scriptNames[script] ?? script]),
    ),
    territories: Object.fromEntries(
      Object.keys(cldr.territoryNames)
        .filter(isCountry)
        .sort()
        .map((code) => [
          code,
          `${cldr.territoryNames[code]}|${[...(spokenIn.get(code) ?? [])].sort().join(' ')}`,
        ]),
    ),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const extract = extractCldr();
  writeFileSync(FILE, `${JSON.stringify(extract, null, 2)}\n`);
  const count = (record: object) => Object.keys(record).length;
  console.log(`${count(extract.languages)} languages, ${count(extract.territories)} countries.`);
}
