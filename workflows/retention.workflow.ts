import { setCurrentDetails } from '@temporalio/workflow';
import { sweepImages } from './retention-activities';

/** Ten thousand owners in an hour; a longer backlog goes on with the next run, and no history grows without end. */
const batchesMax = 20;

export interface Swept {
  /** Made unreadable. */
  images: number;
  /** Removed from the store, those of earlier erasures included. */
  objects: number;
  uploads: number;
}

/** Erases images and uploads that are past their time, batch after batch, until none is left. Started by a schedule. */
export async function imageRetention(): Promise<Swept> {
  let [images, objects, uploads] = [0, 0, 0];
  for (let batch = 0; batch < batchesMax; batch += 1) {
    const swept = await sweepImages();
    images += swept.images;
    objects += swept.objects;
    uploads += swept.uploads;
    setCurrentDetails(`Erased ${images} images, removed ${objects} objects and ${uploads} uploads.`);
    if (swept.images + swept.objects + swept.uploads === 0) break;
  }
  return { images, objects, uploads };
}
