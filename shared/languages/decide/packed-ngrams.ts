import { ngramsData } from '../../../node_modules/eld/src/ngrams/small.js';
import { packNgrams } from './ngram-identifier.ts';

/** The n-grams of 60 languages. Bundles hold them packed (`bin/build.ts`). */
export const packedNgrams = packNgrams(ngramsData);
