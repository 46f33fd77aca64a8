/** The camera cannot be used. `issue`: a key of the texts `camera.issues`. */
export class CameraError extends Error {
  constructor(issue) {
    super(issue);
    this.issue = issue;
  }
}

const issueByErrorName = {
  NotFoundError: 'absent',
  OverconstrainedError: 'absent',
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/** Whether the device has a camera. Does not ask for permission. */
export async function hasCamera() {
  try {
    const devices = await navigator.mediaDevices.enumerateDevices();
    return devices.some(({ kind }) => kind === 'videoinput');
  } catch {
    // `mediaDevices` is missing without HTTPS, and in some browsers inside apps.
    return false;
  }
}

/**
 * Starts the camera on the side `facingMode`, or the only camera. Full HD is fast, and sharp enough for a document. Throws
 * CameraError.
 */
export async function startCamera(facingMode) {
  if (!navigator.mediaDevices?.getUserMedia) throw new CameraError('absent');
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: { ideal: facingMode }, width: { ideal: 1_920 }, height: { ideal: 1_080 } },
    });
  } catch (error) {
    throw new CameraError(issueByErrorName[error.name] ?? 'failed');
  }
}

export function stopCamera(stream) {
  for (const track of stream.getTracks()) track.stop();
}

/** Whether this browser is inside another app. Such a browser opens links of messages, but often blocks the camera. */
export const isInApp = () =>
  /FBAN|FBAV|FB_IAB|Instagram|\bLine\/|MicroMessenger|WhatsApp|LinkedInApp|TikTok|GSA\/|; wv\)/.test(
    navigator.userAgent,
  );

/** Whether the device is a computer with a mouse, not a phone. */
export const isDesktop = () => !matchMedia('(pointer: coarse)').matches;
