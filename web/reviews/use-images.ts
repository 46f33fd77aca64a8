import { useEffect, useState } from 'preact/hooks';
import { callApi } from '../app/call-api';
import { type CaptureKind, captureKinds, type Review } from './review-types';
import { createImageLoader, type ImageLoader, type LoadedImage } from './signed-images';

/** How an image is shown now. */
export interface ShownImage {
  state: 'loading' | 'shown' | 'erased' | 'broken';
  /** The address of the image in the memory of the browser (a blob URL). Empty if the image is not shown. */
  url: string;
  /** How many times the image is turned by 90 degrees to the right, from 0 to 3. */
  turns: number;
}

export type ShownImages = Readonly<Record<CaptureKind, ShownImage>>;

const loading: ShownImage = { state: 'loading', url: '', turns: 0 };

const toShown = (loaded: LoadedImage): Pick<ShownImage, 'state' | 'url'> =>
  typeof loaded === 'string' ? { state: loaded, url: '' } : { state: 'shown', url: loaded.url };

/** The images of a review. Loads them when the review is shown, and frees their memory when another view replaces the review. */
export function useImages(review: Review) {
  const { id } = review;
  const [images, setImages] = useState<ShownImages>({ documentFront: loading, documentBack: loading, selfie: loading });
  const [loader, setLoader] = useState<ImageLoader>();
  const change = (kind: CaptureKind, changes: Partial<ShownImage>) =>
    setImages((current) => ({ ...current, [kind]: { ...current[kind], ...changes } }));
  const show = async (kind: CaptureKind, from: ImageLoader) => {
    change(kind, loading);
    change(kind, toShown(await from.load(kind).catch(() => 'broken' as const)));
  };
  useEffect(() => {
    const created = createImageLoader(review, () =>
      callApi('get', '/v1/reviews/{reviewId}', { path: { reviewId: id } }),
    );
    setLoader(created);
    for (const kind of captureKinds) void show(kind, created);
    return created.forget;
  }, [id]);
  return {
    images,
    turn: (kind: CaptureKind) => {
      const turns = (images[kind].turns + 1) % 4;
      change(kind, { turns });
      return turns;
    },
    markBroken: (kind: CaptureKind) => change(kind, { state: 'broken', url: '' }),
    retry: (kind: CaptureKind) => void (loader && show(kind, loader)),
  };
}
