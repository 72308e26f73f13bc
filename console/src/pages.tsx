import Audit from './audit/audit.tsx';
import Comparison from './comparisons/comparison.tsx';
import Comparisons from './comparisons/list.tsx';
import Credits from './credits/credits.tsx';
import Dataset from './datasets/dataset.tsx';
import ImportData from './datasets/import.tsx';
import Datasets from './datasets/list.tsx';
import Playground from './playground/playground.tsx';
import { useRoute } from './route.ts';
import Trainings from './training/list.tsx';
import NewTraining from './training/new.tsx';
import Training from './training/training.tsx';
import { Page } from './ui/parts.tsx';

/** The page of the route. */
export function PageOf() {
  const { path } = useRoute();
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
  if (place === 'audit') return <Audit />;
  return (
    <Page title="There is no such page">
      <p>
        The address is mistyped, or the page has moved. <a href="#/datasets">Go to the datasets</a>
      </p>
    </Page>
  );
}
