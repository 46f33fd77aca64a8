import type { CaptureKind } from './captures';
import { LinkClosedError } from './errors';
import { type Answer, requestWithRetry } from './request';

/** The state of the biometrics link, as this browser may see it. */
export interface LinkState {
  /** The status of the link, such as `InProgress`. */
  status: string;
  /** Which browser has opened the link. `you`: this browser. */
  owner: 'nobody' | 'you' | 'other';
  /** Whether the person has agreed. */
  consented: boolean;
  /** Whether the API has saved each image. */
  captures: Record<CaptureKind, boolean>;
}

/** Sends a request whose answer is the state of the link. `path`: the path below the link. */
async function requestLinkState(path: string, init?: RequestInit): Promise<LinkState> {
  const { status, body } = await requestWithRetry(path, init);
  if (status === 404) throw new LinkClosedError('unknown');
  if (status !== 200) throw new Error(`${path} answered ${status} ${String(body['code'])}`);
  return body as unknown as LinkState;
}

const jsonPost = (value: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
});

/** Reads the state of the link. */
export const readLinkState = (): Promise<LinkState> => requestLinkState('/session');
/** Opens the link. The first browser that opens the link becomes its owner. */
export const openLink = (): Promise<LinkState> => requestLinkState('/open', jsonPost({}));
/** Saves that the person has agreed. */
export const giveConsent = (): Promise<LinkState> => requestLinkState('/consent', jsonPost({}));

/** Submits the images. Resolves to the state of the link, or to { missing } with the kinds of the missing images. */
export async function submit(): Promise<LinkState | { missing: readonly CaptureKind[] }> {
  const { status, body } = await requestWithRetry('/submit', jsonPost({}));
  if (body['code'] === 'captures_missing') return { missing: body['missing'] as CaptureKind[] };
  if (status !== 200) throw new Error(`submit answered ${status}`);
  return body as unknown as LinkState;
}

/** Starts to send an image of `size` bytes. On success, the body of the answer has the id of the upload and the maximum size of a chunk. */
export const startUpload = (kind: CaptureKind, size: number): Promise<Answer> =>
  requestWithRetry(`/captures/${kind}`, jsonPost({ size }));
