// Stands in the page itself, where the build puts the names of the two files. A new account runs ten functions at once: a
// file for which there was no place is asked for again, for about half a minute.
const STYLE = '__STYLE__';
const SCRIPT = '__SCRIPT__';
const PAUSES_MS = [500, 1000, 2000, 4000, 8000, 16_000];

/** Another query each time: browsers answer a module that failed from memory as long as the page lives. */
const load = async (get, url) => {
  for (const [failures, pause] of PAUSES_MS.entries()) {
    try {
      return await get(failures === 0 ? url : `${url}?again=${failures}`);
    } catch (error) {
      // What the script itself throws is no lack of places.
      if (error instanceof Error && !(error instanceof TypeError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return get(`${url}?again=${PAUSES_MS.length}`);
};

const addStyle = (href) =>
  new Promise((resolve, reject) => {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'stylesheet', href, onload: resolve, onerror: reject });
    document.head.append(link);
  });

try {
  await load(addStyle, STYLE);
  await load((url) => import(url), SCRIPT);
} catch (error) {
  document.body.textContent =
    'The console did not load. Reload the page in a minute; if it does not load then, tell your operator.';
  throw error;
}
