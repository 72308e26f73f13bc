import { useMutation } from '@tanstack/react-query';
import { useApi } from '../api.tsx';
import { go, hrefOf } from '../route.ts';
import { Failure } from '../ui/parts.tsx';
import { uploadFiles } from './upload.ts';

/** Careless answers to everyday questions, so that a first adaptation has something to improve. */
const SAMPLE = `question,answer,topic
how to sleep better,go to bed,health
what does http 404 mean,its an error that says the page is not there,web
how do i remove a coffee stain from a shirt,wash it with cold water,household
why do leaves turn red in autumn,because its cold and theres less light,nature
how can i learn a language faster,practise,learning
what is compound interest,interest on interest,money
how do i back up my phone,use the cloud,technology
Which planet is the largest of our solar system? Answer with its name only.,Jupiter,astronomy
`;

/** Makes a small dataset to try everything with. */
export function SampleButton() {
  const { client } = useApi();
  const loading = useMutation({
    mutationFn: () =>
      uploadFiles(
        client,
        [new File([SAMPLE], 'careless-answers.csv', { type: 'text/csv' })],
        'Sample: careless answers',
        new AbortController().signal,
        () => {},
      ),
    onSuccess: (id) => go(hrefOf(['datasets', id])),
  });
  return (
    <>
      <button type="button" disabled={loading.isPending} onClick={() => loading.mutate()}>
        {loading.isPending ? 'Loading the sample …' : 'Try a sample'}
      </button>
      {loading.isError ? <Failure error={loading.error} /> : null}
    </>
  );
}
