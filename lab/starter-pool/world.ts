import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { other, pick, type Random, type StarterRow } from './row.ts';

const require = createRequire(import.meta.url);
const read = (path: string) => JSON.parse(readFileSync(require.resolve(path), 'utf8'));
const supplemental = (name: string) => read(`cldr-core/supplemental/${name}.json`).supplemental;
const names = (name: string): Record<string, string> =>
  read(`cldr-localenames-full/main/en/${name}.json`).main.en.localeDisplayNames[name];

const source = `CLDR ${read('cldr-core/package.json').version}`;

interface Country {
  readonly code: string;
  readonly name: string;
  readonly alpha3: string;
  readonly numeric: string;
}

/** The territories of ISO 3166-1 for which CLDR has all three codes. */
function countriesOf(): Country[] {
  const codes: Record<string, { _numeric?: string; _alpha3?: string }> =
    supplemental('codeMappings').codeMappings;
  const territories = names('territories');
  const { territoryInfo } = supplemental('territoryInfo');
  return Object.entries(codes).flatMap(([code, { _alpha3: alpha3, _numeric: numeric }]) => {
    const name = territories[code];
    const isCountry =
      /^[A-Z]{2}$/.test(code) && code in territoryInfo && !code.startsWith('X') && code !== 'ZZ';
    return isCountry && name !== undefined && alpha3 !== undefined && numeric !== undefined
      ? [{ code, name, alpha3, numeric }]
      : [];
  });
}

const quoted = (name: string): string =>
  name.replace(
    /^(Bahamas|Comoros|Gambia|Isle of Man|Maldives|Netherlands|Philippines|United .*|.* (Islands|Republic))$/,
    'the $1',
  );

function codeRows(random: Random, countries: readonly Country[]): StarterRow[] {
  return countries.flatMap((country) => {
    const name = quoted(country.name);
    const wrong = other(random, countries, country);
    const topic = 'country codes';
    const from = pick(random, ['code', 'alpha3', 'numeric'] as const);
    const kinds = { code: 'alpha-2', alpha3: 'alpha-3', numeric: 'numeric' } as const;
    return [
      {
        topic,
        source,
        prompt: pick(random, [
          `What is the ISO 3166-1 ${kinds[from]} code of ${name}?`,
          `Give the ${kinds[from]} country code that ISO 3166-1 assigns to ${name}.`,
        ]),
        completion: `The ISO 3166-1 ${kinds[from]} code of ${name} is ${country[from]}.`,
        rejected: `The ISO 3166-1 ${kinds[from]} code of ${name} is ${wrong[from]}.`,
      },
      {
        topic,
        source,
        prompt: `Which country or territory has the ISO 3166-1 alpha-2 code ${country.code}?`,
        completion: `${country.code} is the ISO 3166-1 alpha-2 code of ${name}.`,
        rejected: `${country.code} is the ISO 3166-1 alpha-2 code of ${quoted(wrong.name)}.`,
      },
    ];
  });
}

interface Tenure {
  readonly _from?: string;
  readonly _to?: string;
  readonly _tender?: string;
}

function currencyRows(random: Random, countries: readonly Country[]): StarterRow[] {
  const { region } = supplemental('currencyData').currencyData;
  const current = (code: string): string[] =>
    ((region[code] ?? []) as Record<string, Tenure>[]).flatMap((entry) =>
      Object.entries(entry).flatMap(([currency, { _to, _tender }]) =>
        _to === undefined && _tender !== 'false' ? [currency] : [],
      ),
    );
  const used = countries.flatMap((country) => {
    const [currency, ...more] = current(country.code);
    return currency === undefined || more.length > 0 ? [] : [{ country, currency }];
  });
  const all = [...new Set(used.map(({ currency }) => currency))];
  return used.map(({ country, currency }) => {
    const name = quoted(country.name);
    const say = (code: string): string => `The currency of ${name} has the ISO 4217 code ${code}.`;
    return {
      topic: 'currencies',
      source,
      prompt: pick(random, [
        `What is the ISO 4217 code of the currency that is used in ${name}?`,
        `I am travelling to ${name}. By which ISO 4217 code do I find its money in a list of exchange rates?`,
      ]),
      completion: say(currency),
      rejected: say(other(random, all, currency)),
    };
  });
}

function languageRows(random: Random): StarterRow[] {
  // Codes that CLDR replaces are no longer in ISO 639.
  const { languageAlias } = supplemental('aliases').metadata.alias;
  const languages = Object.entries(names('languages')).filter(
    ([code]) => /^[a-z]{2}$/.test(code) && !(code in languageAlias),
  );
  return languages.map((language) => {
    const [code, name] = language;
    const [wrong] = other(random, languages, language);
    return {
      topic: 'language codes',
      source,
      prompt: pick(random, [
        `What is the two-letter ISO 639 code of the language ${name}?`,
        `How is ${name} abbreviated in language tags such as those of the lang attribute of HTML?`,
      ]),
      completion: `The ISO 639 code of ${name} is "${code}".`,
      rejected: `The ISO 639 code of ${name} is "${wrong}".`,
    };
  });
}

const WEEKDAYS = { mon: 'Monday', fri: 'Friday', sat: 'Saturday', sun: 'Sunday' } as const;

function weekRows(random: Random, countries: readonly Country[]): StarterRow[] {
  const { firstDay } = supplemental('weekData').weekData as {
    firstDay: Record<string, keyof typeof WEEKDAYS>;
  };
  return countries.flatMap((country) => {
    const day = firstDay[country.code];
    if (day === undefined) return [];
    const say = (name: string): string => `In ${quoted(country.name)} calendars begin the week on ${name}.`;
    return [
      {
        topic: 'local conventions',
        source,
        prompt: `On which day does the week begin in calendars of ${quoted(country.name)}?`,
        completion: say(WEEKDAYS[day]),
        rejected: say(other<string>(random, Object.values(WEEKDAYS), WEEKDAYS[day])),
      },
    ];
  });
}

function digitRows(random: Random): StarterRow[] {
  const systems = supplemental('numberingSystems').numberingSystems as Record<
    string,
    { _digits?: string; _type: string }
  >;
  const scripts = names('scripts');
  return Object.entries(systems).flatMap(([id, { _digits, _type }]) => {
    const script = scripts[`${id.charAt(0).toUpperCase()}${id.slice(1)}`];
    if (_type !== 'numeric' || _digits === undefined || script === undefined) return [];
    const digits = [..._digits];
    const number = pick(random, [2048, 1957, 3684, 5079, 7316, 8902]);
    const write = (value: number): string =>
      [...String(value)].map((digit) => digits[Number(digit)]).join('');
    const say = (value: number): string =>
      `With the digits of the ${script} script, ${number} is written ${write(value)}.`;
    return [
      {
        topic: 'local conventions',
        source,
        prompt: `Write the number ${number} with the digits of the ${script} script.`,
        completion: say(number),
        rejected: say(number + 1),
      },
    ];
  });
}

export function worldRows(random: Random): StarterRow[] {
  const countries = countriesOf();
  return [
    ...codeRows(random, countries),
    ...currencyRows(random, countries),
    ...languageRows(random),
    ...weekRows(random, countries),
    ...digitRows(random),
  ];
}
