import { hrefOf } from '../route.ts';

const VIEWS = [
  { view: 'trainings', label: 'Trainings', path: ['trainings'] },
  { view: 'comparisons', label: 'Comparisons', path: ['trainings', 'comparisons'] },
] as const;

/** The two lists of what is trained. */
export function TrainingViews({ view }: { readonly view: (typeof VIEWS)[number]['view'] }) {
  return (
    <nav aria-label="Views of training" className="tabs">
      {VIEWS.map(({ view: each, label, path }) => (
        <a key={each} href={hrefOf(path)} {...(each === view ? { 'aria-current': 'page' as const } : {})}>
          {label}
        </a>
      ))}
    </nav>
  );
}
