import type { CameraIssue } from './texts/texts';

/** The camera cannot be used. */
export class CameraError extends Error {
  constructor(readonly issue: CameraIssue) {
    super(issue);
  }
}

/** The issue for each name of an error of `getUserMedia`. Other errors have the issue `failed`. */
const issueByErrorName: Readonly<Record<string, CameraIssue>> = {
  NotFoundError: 'absent',
  OverconstrainedError: 'absent',
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/**
 * The camera API of the browser. It is undefined without HTTPS, and in some browsers inside apps. The type of `navigator.mediaDevices` in
 * TypeScript does not say so.
 */
const mediaDevices = (): MediaDevices | undefined => navigator.mediaDevices;

/** Whether the device has a camera. Does not ask for permission. */
export async function hasCamera(): Promise<boolean> {
  try {
    const devices = (await mediaDevices()?.enumerateDevices()) ?? [];
    return devices.some(({ kind }) => kind === 'videoinput');
  } catch {
    return false;
  }
}

/**
 * Starts the camera on the back (`environment`) or on the front (`user`). A device with only one camera starts that camera. The video is in
 * full HD, which is fast, and sharp enough for a document. Throws CameraError.
 */
export async function startCamera(facingMode: 'environment' | 'user'): Promise<MediaStream> {
  const devices = mediaDevices();
  if (!devices) throw new CameraError('absent');
  try {
    return await devices.getUserMedia({
      audio: false,
      video: { facingMode: { ideal: facingMode }, width: { ideal: 1_920 }, height: { ideal: 1_080 } },
    });
  } catch (error) {
    throw new CameraError(issueByErrorName[(error as Error).name] ?? 'failed');
  }
}

export function stopCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/**
 * Whether this browser is a part of another app, such as WhatsApp. If the person opens the link in the app, the link opens in this browser,
 * which often blocks the camera.
 */
export const isInApp = (): boolean =>
  /FBAN|FBAV|FB_IAB|Instagram|\bLine\/|MicroMessenger|WhatsApp|LinkedInApp|TikTok|GSA\/|; wv\)/.test(
    navigator.userAgent,
  );

/** Whether the device is a computer with a mouse, not a phone. */
export const isDesktop = (): boolean => !matchMedia('(pointer: coarse)').matches;
