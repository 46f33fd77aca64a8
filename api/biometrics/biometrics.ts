import type { Biometrics, LinkSend } from '../../domain/biometrics/biometrics';
import { linkWithImages } from '../../domain/biometrics/capture';
import { expireLink } from '../../domain/biometrics/link';
import { readAuditEntries } from '../../platform/audit';
import { biometricsPath, biometricsToken } from '../../messages/links';
import { eraseBiometrics, requestBiometrics } from '../../workflows/contract';
import { createImageUrls } from './image-urls';
import { linkProposalOf } from './link-proposal';
import { createIdProposer } from '../temporal/proposed-ids';
import { Problem } from '../http/problem';
import type { Call, Handler } from '../http/route';
import type { BiometricsBody } from './biometrics-body';
import { requesterOf } from '../http/caller-site';
import { throwAsProblem } from '../temporal/throw-as-problem';

/** The field of `mfaStatus` for each channel. */
const mfaStatusFields = { sms: 'smsStatus', email: 'emailStatus', whatsapp: 'whatsappStatus' } as const;

/**
 * Returns `mfaStatus` of SPEC: the status of the message on each channel. A message that the service still tries to send counts as
 * `Failed`.
 */
const mfaStatusOf = (sends: readonly LinkSend[]) =>
  Object.fromEntries(
    sends.map(({ channel, state }) => [mfaStatusFields[channel], state === 'accepted' ? 'Sent' : 'Failed']),
  );

/** POST …/biometrics: creates a link and sends it. If the body has no channels, uses the channels of the tenant's settings. */
export const createBiometricsLink: Handler<BiometricsBody> = async ({
  dependencies,
  tenant,
  clientId,
  id,
  body,
  idempotencyKey,
}) => {
  const target = { tenant, id };
  const requester = await requesterOf(dependencies, clientId, body.returnUrl);
  const proposal = linkProposalOf(
    dependencies,
    target,
    body,
    createIdProposer(dependencies.keys, target, idempotencyKey)('link'),
    requester,
  );
  const { name, birthdate, identifierDate: requestedDate, channels } = proposal;
  const pendingLink = dependencies.transactions.send(target, requestBiometrics, {
    input: proposal,
    identity: [name, birthdate, requestedDate, channels, requester.returnUrl],
    idempotencyKey,
  });
  const { id: biometricsId, identifierDate, createdAt, sends } = await throwAsProblem(pendingLink);
  const path = biometricsPath(biometricsToken(dependencies.keys, { tenant, transactionId: id, biometricsId }));
  const url = new URL(path, dependencies.config.PUBLIC_URL).href;
  const mfaStatus = sends.length > 0 ? { mfaStatus: mfaStatusOf(sends) } : {};
  return { status: 201, body: { id: biometricsId, url, identifierDate, createdAt, ...mfaStatus } };
};

/** Signed URLs must not be cached. */
const headers = { 'Cache-Control': 'no-store' };

/** Finds the link whose images the caller can read. If there is none, throws images_erased or biometrics_not_found. */
async function findCapturedLink({ dependencies, tenant, id }: Call): Promise<Biometrics> {
  const state = await dependencies.transactions.readState({ tenant, id });
  const link = linkWithImages(expireLink(state, new Date().toISOString()));
  if (link) return link;
  const erased = state.biometrics?.some(({ erasedAt }) => erasedAt !== undefined);
  throw new Problem(erased ? 'images_erased' : 'biometrics_not_found');
}

/** GET …/biometrics/document: the image URLs of both sides of the document. */
export const readDocument: Handler = async (call) => {
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

/** GET …/biometrics/selfie: the image URL of the selfie. */
export const readSelfie: Handler = async (call) => {
  const kinds = ['selfie'] as const;
  const { urls, expirationDateUtc } = await createImageUrls(
    call.dependencies,
    call,
    await findCapturedLink(call),
    kinds,
  );
  return { status: 200, headers, body: { selfieUrl: urls.selfie, expirationDateUtc } };
};

/** DELETE …/biometrics/images: erases all images of the transaction, then responds. */
export const eraseImages: Handler = async ({ dependencies, tenant, id, clientId, idempotencyKey }) => {
  const { erasedAt } = await throwAsProblem(
    dependencies.transactions.send({ tenant, id }, eraseBiometrics, {
      input: { by: clientId },
      identity: [clientId],
      idempotencyKey,
    }),
  );
  return { status: 200, body: { erasedAt } };
};

/** Maximum number of returned entries. This is enough for ten links with thirty images each, and for the reads of reviewers. */
const auditEntriesMax = 1_000;

/** GET …/biometrics/audit: the entries of the audit log about the images of the transaction, newest first. */
export const readImageAudit: Handler = async ({ dependencies, tenant, id }) => {
  await dependencies.transactions.read({ tenant, id });
  const entries = await readAuditEntries(dependencies.pool, { tenant, owner: id }, auditEntriesMax);
  const body = entries.map(({ at, actor, action, detail }) => ({ at: at.toISOString(), actor, action, detail }));
  return { status: 200, headers, body };
};
