import { hasCamera, NoCamera } from './camera.mjs';
import { checkImage } from './check-image.mjs';
import { readImage } from './image.mjs';
import { prepareCapture } from './prepare-capture.mjs';
import { reviewImage } from './review-image.mjs';
import { sendImage } from './send-image.mjs';
import { takeImage } from './take-image.mjs';

/** The checks can be wrong, so after this many pictures with issues the person may send one anyway. */
const triesBeforeInsisting = 2;

/** Why the camera could not be used the last time; the next step offers files at once. */
let cameraIssue;

async function getShot(capture, issue, straight) {
  const way = straight ? 'camera' : await prepareCapture(capture, { cameraIssue, issue });
  if (way !== 'camera') return readImage(way);
  try {
    const shot = await takeImage(capture);
    cameraIssue = undefined;
    return shot;
  } catch (error) {
    if (!(error instanceof NoCamera)) throw error;
    cameraIssue = error.issue;
    return undefined;
  }
}

/** Takes one picture, until the API has accepted it. The page does not keep it. */
export async function takeCapture(capture) {
  if (!(await hasCamera())) cameraIssue = 'absent';
  let [issue, straight, flawed] = [undefined, false, 0];
  for (;;) {
    const shot = await getShot(capture, issue, straight && !cameraIssue);
    [issue, straight] = [shot?.issue, false];
    if (!shot?.blob) continue;
    const issues = checkImage(shot.canvas);
    if (issues.length > 0) flawed += 1;
    const used = await reviewImage(capture, shot, issues, flawed >= triesBeforeInsisting);
    straight = !used;
    if (!used) continue;
    ({ issue } = await sendImage(capture, shot));
    if (!issue) return;
  }
}
