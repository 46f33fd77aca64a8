import { CameraError, hasCamera } from './camera';
import type { Capture } from './captures';
import { checkImage } from './check-image';
import { type ReadImage, readImage } from './image';
import { prepareCapture } from './prepare-capture';
import { reviewImage } from './review-image';
import { sendImage } from './send-image';
import { takeImage } from './take-image';
import type { CameraIssue, ImageIssue } from './texts/texts';

/** After this many pictures with issues, the person may send the picture anyway, because the checks of this page can be wrong. */
const picturesBeforeInsisting = 2;

/**
 * Why the camera could not be used the last time. Undefined if it worked, or was not used yet. If it did not work, the next screen offers
 * files.
 */
let cameraIssue: CameraIssue | undefined;

/**
 * Gets one picture from the camera or from a file. `issue`: what was wrong with the earlier picture. `skipPreparation`: whether the camera
 * opens at once, without the tips. Resolves to undefined if the camera cannot be used.
 */
async function getImage(
  capture: Capture,
  issue: ImageIssue | undefined,
  skipPreparation: boolean,
): Promise<ReadImage | undefined> {
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

/** Takes pictures until the API has accepted one. The page keeps no pictures. */
export async function takeCapture(capture: Capture): Promise<void> {
  if (!(await hasCamera())) cameraIssue = 'absent';
  let issue: ImageIssue | undefined;
  let skipPreparation = false;
  let picturesWithIssues = 0;
  for (;;) {
    const image = await getImage(capture, issue, skipPreparation && !cameraIssue);
    issue = image && 'issue' in image ? image.issue : undefined;
    skipPreparation = false;
    if (!image || 'issue' in image) continue;
    const found = checkImage(image.canvas);
    if (found) picturesWithIssues += 1;
    const isUsed = await reviewImage(capture, image, found, picturesWithIssues >= picturesBeforeInsisting);
    skipPreparation = !isUsed;
    if (!isUsed) continue;
    issue = (await sendImage(capture, image)).issue;
    if (!issue) return;
  }
}
