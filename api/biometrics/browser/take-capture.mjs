import { hasCamera, NoCamera } from './camera.mjs';
import { checkImage } from './check-image.mjs';
import { readImage } from './image.mjs';
import { prepareCapture } from './prepare-capture.mjs';
import { reviewImage } from './review-image.mjs';
import { sendImage } from './send-image.mjs';
import { takeImage } from './take-image.mjs';

/** Our measures can be wrong, so whoever has tried this often may send what they have. */
const triesBeforeInsisting = 2;

/** Why there was no camera the last time; the next step offers files at once. */
let cameraFault;

async function getShot(capture, fault, straight) {
  const way = straight ? 'camera' : await prepareCapture(capture, { cameraFault, fault });
  if (way !== 'camera') return readImage(way);
  try {
    const shot = await takeImage(capture);
    cameraFault = undefined;
    return shot;
  } catch (error) {
    if (!(error instanceof NoCamera)) throw error;
    cameraFault = error.fault;
    return undefined;
  }
}

/** One picture, until the API has accepted it. Nothing of it stays in the page afterwards. */
export async function takeCapture(capture) {
  if (!(await hasCamera())) cameraFault = 'absent';
  let [fault, straight, flawed] = [undefined, false, 0];
  for (;;) {
    const shot = await getShot(capture, fault, straight && !cameraFault);
    [fault, straight] = [shot?.fault, false];
    if (!shot?.blob) continue;
    const faults = checkImage(shot.canvas);
    if (faults.length > 0) flawed += 1;
    const used = await reviewImage(capture, shot, faults, flawed >= triesBeforeInsisting);
    straight = !used;
    if (!used) continue;
    ({ fault } = await sendImage(capture, shot));
    if (!fault) return;
  }
}
