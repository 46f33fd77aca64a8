/** No camera, and why: a word of `camera.faults`. */
export class NoCamera extends Error {
  constructor(fault) {
    super(fault);
    this.fault = fault;
  }
}

const faultOf = {
  NotFoundError: 'absent',
  OverconstrainedError: 'absent',
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/** Whether there is a camera to ask for. Asks for no permission. */
export async function hasCamera() {
  try {
    const devices = await navigator.mediaDevices.enumerateDevices();
    return devices.some(({ kind }) => kind === 'videoinput');
  } catch {
    // Without HTTPS, and in some browsers inside apps, there is nothing to ask.
    return false;
  }
}

/**
 * Starts the camera on the side that is wanted, or on the only one. Throws NoCamera. Full HD: more than a document needs,
 * and what every phone can do without delay.
 */
export async function startCamera(facing) {
  if (!navigator.mediaDevices?.getUserMedia) throw new NoCamera('absent');
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: { ideal: facing }, width: { ideal: 1_920 }, height: { ideal: 1_080 } },
    });
  } catch (error) {
    throw new NoCamera(faultOf[error.name] ?? 'failed');
  }
}

export function stopCamera(stream) {
  for (const track of stream.getTracks()) track.stop();
}

/** Browsers inside apps: they open links of messages, and often keep the camera from pages. */
export const isInApp = () =>
  /FBAN|FBAV|FB_IAB|Instagram|\bLine\/|MicroMessenger|WhatsApp|LinkedInApp|TikTok|GSA\/|; wv\)/.test(
    navigator.userAgent,
  );

/** A computer with a mouse rather than something to hold in front of a document. */
export const isDesktop = () => !matchMedia('(pointer: coarse)').matches;
