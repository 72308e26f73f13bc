import { Suspense } from 'react';
import { lazyPage } from './lazy-page.ts';
import { useRoute } from './route.ts';
import { Loading, Page } from './ui/parts.tsx';

const Datasets = lazyPage(() => import('./datasets/list.tsx'));
const ImportData = lazyPage(() => import('./datasets/import.tsx'));
const Dataset = lazyPage(() => import('./datasets/dataset.tsx'));
const Trainings = lazyPage(() => import('./training/list.tsx'));
const NewTraining = lazyPage(() => import('./training/new.tsx'));
const Training = lazyPage(() => import('./training/training.tsx'));
const Comparisons = lazyPage(() => import('./comparisons/list.tsx'));
const Comparison = lazyPage(() => import('./comparisons/comparison.tsx'));
const Playground = lazyPage(() => import('./playground/playground.tsx'));
const Credits = lazyPage(() => import('./credits/credits.tsx'));

/** The page of the route. Each is loaded when it is first opened. */
export function PageOf() {
  const { path } = useRoute();
  return (
    <Suspense fallback={<Loading what="the page" />}>
      <Chosen path={path} />
    </Suspense>
  );
}

function Chosen({ path }: { readonly path: readonly string[] }) {
  const [place = 'datasets', id, part] = path;
  if (place === 'datasets') return id === undefined ? <Datasets /> : <Dataset key={id} id={id} />;
  if (place === 'import') return <ImportData />;
  if (place === 'trainings') {
    if (id === undefined) return <Trainings />;
    if (id === 'comparisons') {
      return part === undefined ? <Comparisons /> : <Comparison key={part} id={part} />;
    }
    return id === 'new' ? <NewTraining /> : <Training key={id} id={id} />;
  }
  if (place === 'playground') return <Playground />;
  if (place === 'credits') return <Credits />;
  return (
    <Page title="There is no such page">
      <p>
        The address is mistyped, or the page has moved. <a href="#/datasets">Go to the datasets</a>
      </p>
    </Page>
  );
}
