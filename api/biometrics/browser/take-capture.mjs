import { hasCamera, CameraError } from './camera.mjs';
import { checkImage } from './check-image.mjs';
import { readImage } from './image.mjs';
import { prepareCapture } from './prepare-capture.mjs';
import { reviewImage } from './review-image.mjs';
import { sendImage } from './send-image.mjs';
import { takeImage } from './take-image.mjs';

/** The checks can be wrong, so after this many pictures with issues the person may send the picture anyway. */
const picturesBeforeInsisting = 2;

/** Why the camera could not be used the last time. If set, the next step offers files at once. */
let cameraIssue;

async function getImage(capture, issue, skipPreparation) {
  const source = skipPreparation ? 'camera' : await prepareCapture(capture, { cameraIssue, issue });
  if (source !== 'camera') return readImage(source);
  try {
    const image = await takeImage(capture);
    cameraIssue = undefined;
    return image;
  } catch (error) {
    if (!(error instanceof CameraError)) throw error;
    cameraIssue = error.issue;
    return undefined;
  }
}

/** Takes pictures until the API has accepted one. The page does not keep them. */
export async function takeCapture(capture) {
  if (!(await hasCamera())) cameraIssue = 'absent';
  let [issue, skipPreparation, picturesWithIssues] = [undefined, false, 0];
  for (;;) {
    const image = await getImage(capture, issue, skipPreparation && !cameraIssue);
    [issue, skipPreparation] = [image?.issue, false];
    if (!image?.blob) continue;
    const issues = checkImage(image.canvas);
    if (issues.length > 0) picturesWithIssues += 1;
    const isUsed = await reviewImage(capture, image, issues, picturesWithIssues >= picturesBeforeInsisting);
    skipPreparation = !isUsed;
    if (!isUsed) continue;
    ({ issue } = await sendImage(capture, image));
    if (!issue) return;
  }
}
