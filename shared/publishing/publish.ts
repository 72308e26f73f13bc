import type { Clock } from '#shared/models/decide/clock.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import {
  PublicationRefused,
  type PublicationRepository,
  type PublishContent,
  type WithContent,
} from './decide/ports.ts';
import {
  ATTEMPTS_MAX,
  claimOfPublication,
  isLost,
  kindOf,
  LOST_MESSAGE,
  type PublicationRecord,
} from './decide/record.ts';
import type { PublicationStatus, PublishTarget } from './schema/publication.ts';

export interface PublishPorts {
  readonly publications: PublicationRepository;
  /** The credential of a team for a provider; null without one. */
  readonly findConnection: (teamId: string, provider: string) => Promise<string | null>;
  readonly withContent: WithContent;
  readonly platforms: Readonly<Record<PublishTarget, PublishContent>>;
  readonly claims: Pick<Claims, 'release'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Called with an error after which the publication has failed, or is attempted again. */
  readonly onError: (error: unknown) => void;
}

/** Share of the work until the files are written, in percent. The rest is their upload. */
const WRITTEN_PERCENT = 20;

/** What callers are told of each kind. */
const NOUNS = { dataset: 'The rows are', model: 'The model is' } as const;

/**
 * One attempt at a publication.
 * @throws {Error} if another attempt may succeed, and is due
 */
export async function publish(
  ports: PublishPorts,
  { dataset_id, publish_id }: { readonly dataset_id: string; readonly publish_id: string },
): Promise<{ status: PublicationStatus }> {
  const { publications, clock } = ports;
  const found = await publications.find(dataset_id, publish_id);
  if (found !== null && isLost(found, clock.now())) {
    // Lambda has kept it waiting for so long that its caller was told to publish again.
    await publications.update(found, { status: 'failed', message: LOST_MESSAGE, uploads: [] });
    return { status: 'failed' };
  }
  const publication = await publications.begin(dataset_id, publish_id, timestamp(clock.now()));
  if (publication === null) {
    return { status: found?.status ?? 'failed' };
  }
  try {
    const published = await publishContent(ports, publication);
    const message =
      published.commit === null
        ? publication.attempts > 1
          ? 'The repository has the content: an earlier attempt put it there, or it had the same already.'
          : 'The repository had the same content already.'
        : `${NOUNS[kindOf(publication)]} published.`;
    await publications.update(publication, {
      ...published,
      status: 'succeeded',
      message,
      progress_percent: 100,
      uploads: [],
    });
    await ports.claims.release(claimOfPublication(publication.team_id), publication.publish_id);
    return { status: 'succeeded' };
  } catch (error) {
    ports.onError(error);
    const isFinal = error instanceof PublicationRefused || publication.attempts >= ATTEMPTS_MAX;
    const message =
      error instanceof PublicationRefused
        ? error.message
        : isFinal
          ? 'The platform did not take the content in three attempts. Publish again later.'
          : 'An attempt failed. Another one follows within minutes.';
    await publications.update(publication, {
      ...(isFinal ? { status: 'failed', uploads: [] } : {}),
      message,
    });
    if (isFinal) {
      await ports.claims.release(claimOfPublication(publication.team_id), publication.publish_id);
      return { status: 'failed' };
    }
    throw error;
  }
}

async function publishContent(ports: PublishPorts, publication: PublicationRecord) {
  const { publications, findConnection, withContent, platforms } = ports;
  const token = await findConnection(publication.team_id, publication.target);
  if (token === null) {
    throw new PublicationRefused(
      'The connection to the platform is gone. Ask your operator to store it again.',
    );
  }
  return withContent(publication, async (content) => {
    await publications.update(publication, { progress_percent: WRITTEN_PERCENT });
    let told = WRITTEN_PERCENT;
    return platforms[publication.target]({
      ...content,
      token,
      repository: publication.repository,
      isPrivate: publication.is_private,
      commitMessage: publication.commit_message ?? `Publish ${content.kind === 'dataset' ? 'rows' : 'model'}`,
      license: publication.license,
      title: publication.title,
      uploads: publication.uploads,
      keepUploads: (uploads) => publications.update(publication, { uploads: [...uploads] }),
      onProgress: async (share) => {
        const percent = WRITTEN_PERCENT + Math.floor(share * (99 - WRITTEN_PERCENT));
        if (percent < told + 5) return;
        told = percent;
        await publications.update(publication, { progress_percent: percent });
      },
    });
  });
}
