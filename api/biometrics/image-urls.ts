import type { Biometrics, CaptureKind } from '../../domain/biometrics/biometrics';
import { addAuditEntry } from '../../platform/audit';
import { imagePath } from '../../images/sealed-images';
import type { Dependencies } from '../dependencies';
import { Problem } from '../http/problem';
import type { Target } from '../temporal/transactions';

/** Signed URLs by kind of image, and when they expire. */
export interface ImageUrls<Kind extends CaptureKind> {
  urls: Record<Kind, string>;
  expirationDateUtc: string;
}

/** Throws images_erased if the image of one of these kinds is missing or erased. */
export async function requireImages(
  { images }: Pick<Dependencies, 'images'>,
  { tenant, id: owner }: Target,
  link: Biometrics,
  kinds: readonly CaptureKind[],
): Promise<void> {
  const ids = kinds.map((kind) => link.captures[kind]?.imageId ?? '');
  const exist = await Promise.all(ids.map((id) => images.has({ tenant, owner, id })));
  if (exist.includes(false)) throw new Problem('images_erased');
}

/**
 * Writes into the audit log that the client gets signed URLs of the images of a link. Then returns these URLs. The URLs are valid for
 * `imageUrlSeconds`, a setting of the tenant. Throws images_erased.
 */
export async function createImageUrls<Kind extends CaptureKind>(
  { keys, pool, images, config, biometricsSettings }: Dependencies,
  { tenant, id: owner, clientId: actor }: { tenant: string; id: string; clientId: string },
  link: Biometrics,
  kinds: readonly Kind[],
): Promise<ImageUrls<Kind>> {
  const ids = kinds.map((kind) => [kind, link.captures[kind]?.imageId ?? ''] as const);
  await requireImages({ images }, { tenant, id: owner }, link, kinds);
  await addAuditEntry(pool, {
    tenant,
    owner,
    actor,
    action: 'image_urls_given',
    detail: { kinds, link: link.id },
  });
  const expiresAt = new Date(Date.now() + biometricsSettings(tenant).imageUrlSeconds * 1_000);
  const urlOf = (id: string) =>
    new URL(imagePath(keys, { tenant, owner, id, actor, expiresAt }), config.PUBLIC_URL).href;
  const urls = Object.fromEntries(ids.map(([kind, id]) => [kind, urlOf(id)])) as Record<Kind, string>;
  return { urls, expirationDateUtc: expiresAt.toISOString() };
}
