import { AskFailure } from '#shared/models/decide/ask-model.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import type { AnsweringModel, TurnItem } from '#shared/models/decide/turn.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { createGate } from '#shared/platform/gate.ts';
import { type FetchImage, toDataUrl } from '#shared/tabular/decide/images/load-image.ts';

/** Maximum bytes of the images that one request links to. */
export const LINKED_IMAGES_BYTES_MAX = 20 * 1024 * 1024;

/** The longest that the images of one request take together. */
export const LINKED_IMAGES_MILLISECONDS = 60_000;

/** Images that are fetched concurrently. */
const AT_ONCE = 4;

/**
 * Fetches the images of links. @returns a data URL for each link
 * @throws {ServiceError} `invalid_request` if a link has no image, or all are too large or take too long together
 */
export async function fetchLinkedImages(
  links: readonly string[],
  fetchImage: FetchImage,
  sleep: Clock['sleep'],
): Promise<ReadonlyMap<string, string>> {
  const images = new Map<string, string>();
  if (links.length === 0) return images;
  let bytes = 0;
  const gate = createGate(AT_ONCE);
  const over = new AbortController();
  const fetchOne = async (link: string): Promise<void> => {
    if (over.signal.aborted) return;
    const image = await fetchImage(link);
    if (image === null) return;
    bytes += image.length;
    if (bytes > LINKED_IMAGES_BYTES_MAX) {
      throw new AskFailure(
        'image_too_large',
        `The images together are larger than ${LINKED_IMAGES_BYTES_MAX / 2 ** 20} MiB`,
      );
    }
    images.set(link, toDataUrl(image));
  };
  const late = sleep(LINKED_IMAGES_MILLISECONDS, over.signal).then(() => {
    const seconds = LINKED_IMAGES_MILLISECONDS / 1000;
    throw new AskFailure('image_missing', `The images take longer than ${seconds} seconds`);
  });
  try {
    await Promise.race([Promise.all(links.map((link) => gate(() => fetchOne(link)))), late]);
  } catch (error) {
    if (!(error instanceof AskFailure)) throw error;
    throw invalidField(
      'input',
      `contains a link to an image that is not shown: ${error.message}. Links have to be https to public addresses; send an image as a data: URL`,
    );
  } finally {
    late.catch(() => {});
    over.abort();
  }
  return images;
}

/** A model that is shown images where its messages have links. */
export function withImages(model: AnsweringModel, images: ReadonlyMap<string, string>): AnsweringModel {
  if (images.size === 0) return model;
  const show = (item: TurnItem): TurnItem =>
    item.type !== 'message'
      ? item
      : {
          ...item,
          content: item.content.map((part) =>
            part.type === 'image' ? { ...part, url: images.get(part.url) ?? part.url } : part,
          ),
        };
  return {
    modelId: model.modelId,
    forwards: (type) => model.forwards(type),
    answer: (turn, signal) => model.answer({ ...turn, items: turn.items.map(show) }, signal),
  };
}
