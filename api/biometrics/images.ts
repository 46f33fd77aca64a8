import type { Biometrics, CaptureKind } from '../../domain/biometrics/biometrics';
import { addAuditEntry, readAuditEntries } from '../../platform/audit';
import { imagePath, readImageToken } from '../../images/sealed-images';
import type { Needs } from '../dependencies';
import { Problem } from '../http/problem';
import { type Target, throwAsProblem } from '../transactions/transactions';
import { asTenant } from '../../platform/postgres/tenant-scope';
import {
  type ApiRoute,
  type Call,
  type Handler,
  type RawHandler,
  transactionPath as transaction,
  undocumentedRoute,
  type UndocumentedRoute,
} from '../http/route';
import { z } from 'zod';
import { auditEntry, named, sensitive, utcTime } from '../http/openapi/schema-of';
import { linkWithImages } from '../../domain/biometrics/capture';
import { expireLink } from '../../domain/biometrics/link';
import { eraseBiometrics } from '../../workflows/contract/commands';

const expirationDateUtc = '2026-01-31T12:05:00.000Z';

/** Signed URLs by kind of image, and when they expire. */
export interface ImageUrls<Kind extends CaptureKind> {
  urls: Record<Kind, string>;
  expirationDateUtc: string;
}

/** Throws images_erased if the image of one of these kinds is missing or erased. */
export async function requireImages(
  { images }: Needs<'images'>,
  { tenant, id: owner }: Target,
  link: Biometrics,
  kinds: readonly CaptureKind[],
): Promise<void> {
  const ids = kinds.map((kind) => link.captures[kind]?.imageId ?? '');
  const exist = await Promise.all(ids.map((id) => images.has({ tenant, owner, id })));
  if (exist.includes(false)) throw new Problem('images_erased');
}

/** The names of the dependencies of signed image URLs. */
export type ImageNeeds = 'biometricsSettings' | 'config' | 'images' | 'keys' | 'pool';

/**
 * Writes into the audit log that the client gets signed URLs of the images of a link. Then returns these URLs. The URLs are valid for
 * `imageUrlSeconds`, a setting of the tenant. Throws images_erased.
 */
export async function createImageUrls<Kind extends CaptureKind>(
  { keys, pool, images, config, biometricsSettings }: Needs<ImageNeeds>,
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

/** Signed URLs must not be cached. */
const headers = { 'Cache-Control': 'no-store' };

/** With these headers, browsers do not cache the image or run scripts in it. Pages of the caller can show it. */
const imageHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
} as const;

/**
 * GET /images/{token}: the image of a signed URL. Writes the access into the audit log before it sends the first byte. Throws
 * image_url_expired, images_erased, and not_found for an invalid signature.
 */
export const serveImage: RawHandler<'images' | 'keys' | 'pool'> = async ({ keys, pool, images }, request, response) => {
  const target = readImageToken(keys, String(request.params['token']), new Date());
  if (!target) throw new Problem('not_found');
  if (target === 'expired') throw new Problem('image_url_expired');
  const { tenant, owner, id, actor } = target;
  response.locals['tenant'] = tenant;
  response.locals['transactionId'] = owner;
  const jpeg = await asTenant(tenant, async () => {
    const image = await images.read({ tenant, owner, id });
    if (!image) throw new Problem('images_erased');
    await addAuditEntry(pool, { tenant, owner, actor, action: 'image_read', detail: { image: id } });
    return image;
  });
  response.set(imageHeaders).type('jpeg').send(jpeg);
};

const imageUrl = sensitive(z.url(), 'biometrics:images');

const urlExample = 'https://verify.example.com/images/c2lnbmVkLXRva2Vu';

export const documentUrls = named(
  'DocumentImages',
  z.strictObject({
    documentFrontUrl: imageUrl,
    documentBackUrl: imageUrl,
    expirationDateUtc: utcTime,
  }),
  { documentFrontUrl: urlExample, documentBackUrl: urlExample, expirationDateUtc },
);

/** GET …/biometrics/document: the image URLs of both sides of the document. */
export const readDocument: Handler<ImageNeeds | 'transactions'> = async (call) => {
  const kinds = ['documentFront', 'documentBack'] as const;
  const { urls, expirationDateUtc } = await createImageUrls(
    call.dependencies,
    call,
    await findCapturedLink(call),
    kinds,
  );
  const body = { documentFrontUrl: urls.documentFront, documentBackUrl: urls.documentBack, expirationDateUtc };
  return { status: 200, headers, body };
};

export const selfieUrl = named('SelfieImage', z.strictObject({ selfieUrl: imageUrl, expirationDateUtc: utcTime }), {
  selfieUrl: urlExample,
  expirationDateUtc,
});

/** GET …/biometrics/selfie: the image URL of the selfie. */
export const readSelfie: Handler<ImageNeeds | 'transactions'> = async (call) => {
  const kinds = ['selfie'] as const;
  const { urls, expirationDateUtc } = await createImageUrls(
    call.dependencies,
    call,
    await findCapturedLink(call),
    kinds,
  );
  return { status: 200, headers, body: { selfieUrl: urls.selfie, expirationDateUtc } };
};

export const imageErasure = named('ImageErasure', z.strictObject({ erasedAt: utcTime }), {
  erasedAt: '2026-01-31T12:00:00.000Z',
});

/** DELETE …/biometrics/images: erases all images of the transaction, then responds. */
export const eraseImages: Handler<'transactions'> = async ({ dependencies, tenant, id, clientId, idempotencyKey }) => {
  const { erasedAt } = await throwAsProblem(
    dependencies.transactions.send({ tenant, id }, eraseBiometrics, {
      input: { by: clientId },
      identity: [clientId],
      idempotencyKey,
    }),
  );
  return { status: 200, body: { erasedAt } };
};

/** GET …/biometrics/audit: the entries of the audit log about the images of the transaction, newest first. */
export const readImageAudit: Handler<'pool' | 'transactions'> = async ({ dependencies, tenant, id }) => {
  await dependencies.transactions.read({ tenant, id });
  const entries = await readAuditEntries(dependencies.pool, { tenant, owner: id }, auditEntriesMax);
  const body = entries.map(({ at, actor, action, detail }) => ({ at: at.toISOString(), actor, action, detail }));
  return { status: 200, headers, body };
};

/** Finds the link whose images the caller can read. If there is none, throws images_erased or biometrics_not_found. */
async function findCapturedLink({ dependencies, tenant, id }: Call<'transactions'>): Promise<Biometrics> {
  const state = await dependencies.transactions.readState({ tenant, id });
  const link = linkWithImages(expireLink(state, new Date().toISOString()));
  if (link) return link;
  const erased = state.biometrics?.some(({ erasedAt }) => erasedAt !== undefined);
  throw new Problem(erased ? 'images_erased' : 'biometrics_not_found');
}

/** Maximum number of returned entries. This is enough for ten links with thirty images each, and for the reads of reviewers. */
const auditEntriesMax = 1_000;

/** The images of a transaction, as in SPEC. */
export const imageRoutes: readonly ApiRoute[] = [
  {
    operationId: 'getDocumentImages',
    method: 'get',
    path: `${transaction}/biometrics/document`,
    scope: 'biometrics:images',
    summary: 'Get the image URLs of both sides of the document, valid until expirationDateUtc',
    responses: { 200: documentUrls },
    problems: ['biometrics_not_found', 'images_erased'],
    handler: readDocument,
  },
  {
    operationId: 'getSelfieImage',
    method: 'get',
    path: `${transaction}/biometrics/selfie`,
    scope: 'biometrics:images',
    summary: 'Get the image URL of the selfie, valid until expirationDateUtc',
    responses: { 200: selfieUrl },
    problems: ['biometrics_not_found', 'images_erased'],
    handler: readSelfie,
  },
];

/** Erasing images, and their audit log; not in SPEC. */
export const imageErasureRoutes: readonly ApiRoute[] = [
  {
    operationId: 'eraseImages',
    method: 'delete',
    path: `${transaction}/biometrics/images`,
    scope: 'biometrics:erase',
    summary: 'Erase all images of the transaction and cancel its open link',
    responses: { 200: imageErasure },
    problems: ['idempotency_conflict', 'biometrics_not_found'],
    handler: eraseImages,
  },
  {
    operationId: 'listImageAudit',
    method: 'get',
    path: `${transaction}/biometrics/audit`,
    scope: 'biometrics:erase',
    summary: 'List the audit log of the images, newest first',
    responses: { 200: z.array(auditEntry) },
    handler: readImageAudit,
  },
];

/** The images behind signed URLs. */
export const imagePages: readonly UndocumentedRoute[] = [undocumentedRoute('get', '/images/{token}', serveImage)];
