import type { CaptureKind } from './captures';
import { LinkClosedError } from './errors';
import { type Answer, requestWithRetry } from './request';

/** The state of the link, as this browser may see it. */
export interface Session {
  status: string;
  owner: 'nobody' | 'you' | 'other';
  consented: boolean;
  captures: Record<CaptureKind, boolean>;
}

async function requestSession(path: string, init?: RequestInit): Promise<Session> {
  const { status, body } = await requestWithRetry(path, init);
  if (status === 404) throw new LinkClosedError('unknown');
  if (status !== 200) throw new Error(`${path} answered ${status} ${String(body['code'])}`);
  return body as unknown as Session;
}

const jsonPost = (value: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
});

export const readSession = (): Promise<Session> => requestSession('/session');
export const openLink = (): Promise<Session> => requestSession('/open', jsonPost({}));
export const giveConsent = (): Promise<Session> => requestSession('/consent', jsonPost({}));

/** Submits the images. Resolves to the session, or to { missing } with the kinds of the missing captures. */
export async function submit(): Promise<Session | { missing: readonly CaptureKind[] }> {
  const { status, body } = await requestWithRetry('/submit', jsonPost({}));
  if (body['code'] === 'captures_missing') return { missing: body['missing'] as CaptureKind[] };
  if (status !== 200) throw new Error(`submit answered ${status}`);
  return body as unknown as Session;
}

export const startUpload = (kind: CaptureKind, size: number): Promise<Answer> =>
  requestWithRetry(`/captures/${kind}`, jsonPost({ size }));
