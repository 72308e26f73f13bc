/** The data of eld, which its package neither exports nor declares. */
declare module '*/eld/src/ngrams/small.js' {
  export const ngramsData: import('./ngram-identifier.ts').EldNgrams;
}

declare module '*/eld/src/dictionary.js' {
  export const dictionary: readonly string[];
}

declare module '*/eld/src/avgScore.js' {
  export const avgScore: Readonly<Record<string, number>>;
}

declare module '*/eld/src/regexPatterns.js' {
  export const separators: RegExp;
}
