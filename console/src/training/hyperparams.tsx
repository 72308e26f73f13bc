import { capitalized } from '../format.ts';
import { Facts } from '../ui/parts.tsx';
import { type Hyperparams, hyperparamWords, valueWords } from './words.ts';

/** All hyperparameters, by the names that people know. */
export function HyperparamFacts({ of }: { readonly of: Hyperparams }) {
  return (
    <Facts
      of={Object.entries(of).map(
        ([name, value]) => [capitalized(hyperparamWords(name)), valueWords(value)] as const,
      )}
    />
  );
}
