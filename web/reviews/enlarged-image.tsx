import type { TargetedPointerEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { appTexts } from '../app/app-texts';
import { useTexts } from '../app/use-texts';
import { Button } from '../kit/button';
import { Icon, type IconName } from '../kit/icon';
import { type CaptureKind, captureKinds } from './review-types';
import { reviewTexts } from './texts';
import type { ShownImages } from './use-images';

/** The zoom factors. With 1, the whole image is visible. With 6, the reviewer can see the dots of a printed portrait. */
const zoomLevels = [1, 1.5, 2, 3, 4, 6];

/** Event handlers with which a mouse can drag the image. Touch and the arrow keys scroll the image without these handlers. */
const dragging = {
  onPointerDown: (event: TargetedPointerEvent<HTMLDivElement>) => {
    if (event.pointerType !== 'mouse' || event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.focus();
    event.currentTarget.setPointerCapture(event.pointerId);
  },
  onPointerMove: ({ currentTarget, pointerId, movementX, movementY }: TargetedPointerEvent<HTMLDivElement>) => {
    if (currentTarget.hasPointerCapture(pointerId)) currentTarget.scrollBy(-movementX, -movementY);
  },
};

/** The zoom of a scroll area. After a change, the same point is in the center. `onZoom` gets the new zoom as a text, such as "200 %". */
function useZoom(onZoom: (text: string) => void) {
  const [zoom, setZoom] = useState(1);
  const area = useRef<HTMLDivElement>(null);
  const center = useRef({ x: 0, y: 0 });
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    const { x, y } = center.current;
    element.style.setProperty('--zoom', String(zoom));
    element.scrollTo(x * zoom - element.clientWidth / 2, y * zoom - element.clientHeight / 2);
  }, [zoom]);
  /** Zooms in by a number of levels. A negative number zooms out. 0 shows the whole image. */
  const zoomBy = (levels: number) => {
    const index = Math.max(0, Math.min(zoomLevels.length - 1, zoomLevels.indexOf(zoom) + levels));
    const next = levels === 0 ? 1 : (zoomLevels[index] ?? 1);
    const element = area.current;
    if (element)
      center.current = {
        x: (element.scrollLeft + element.clientWidth / 2) / zoom,
        y: (element.scrollTop + element.clientHeight / 2) / zoom,
      };
    setZoom(next);
    onZoom(`${next * 100} %`);
  };
  return { zoom, zoomBy, area };
}

interface EnlargedImageProps {
  /** The image that is shown when the dialog opens. */
  first: CaptureKind;
  images: ShownImages;
  /** Turns an image by 90 degrees. Returns the number of its turns now, from 0 to 3. */
  onTurn: (kind: CaptureKind) => number;
  onClose: () => void;
}

/**
 * An image in the full window, with buttons for the other images. Keys: + and − zoom, 0 shows the whole image, R turns the image, arrows
 * move it, Esc closes the dialog. Then the element that had the focus before the dialog gets the focus again.
 */
export function EnlargedImage({ first, images, onTurn, onClose }: EnlargedImageProps) {
  const { captures, image: texts } = useTexts(reviewTexts);
  const { close } = useTexts(appTexts);
  const [kind, setKind] = useState(first);
  // Screen readers ignore everything outside an open dialog, so the dialog has its own element to announce changes.
  const [status, setStatus] = useState('');
  const { zoom, zoomBy, area } = useZoom(setStatus);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    area.current?.focus();
  }, [area]);
  const turn = () => setStatus(texts.turned(captures[kind].name, onTurn(kind) * 90));
  const keys: Record<string, () => void> = {
    '+': () => zoomBy(1),
    '=': () => zoomBy(1),
    '-': () => zoomBy(-1),
    0: () => zoomBy(0),
    r: turn,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const action = keys[event.key.toLowerCase()];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  };
  const tool = (icon: IconName, label: string, onClick: () => void) => (
    <Button tone="icon" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </Button>
  );
  return (
    <dialog class="enlarged" aria-label={texts.enlarged} ref={dialog} onKeyDown={onKeyDown} onClose={onClose}>
      <div class="toolbar">
        <div class="line" role="group" aria-label={texts.choose}>
          {captureKinds
            .filter((other) => images[other].state === 'shown')
            .map((other) => (
              <Button
                tone="small"
                key={other}
                aria-pressed={other === kind}
                onClick={() => {
                  setKind(other);
                  zoomBy(0);
                }}
              >
                {captures[other].short}
              </Button>
            ))}
        </div>
        <div class="line">
          {tool('zoomOut', texts.zoomOut, () => zoomBy(-1))}
          <output class="percent">{zoom * 100} %</output>
          {tool('zoomIn', texts.zoomIn, () => zoomBy(1))}
          {tool('turn', texts.turn, turn)}
          <Button tone="small" onClick={() => dialog.current?.close()}>
            {close}
          </Button>
        </div>
      </div>
      <div
        class="large"
        role="group"
        aria-label={texts.moves(captures[kind].name)}
        tabIndex={0}
        ref={area}
        onDblClick={() => zoomBy(zoom === 1 ? 2 : 0)}
        {...dragging}
      >
        <div class="canvas">
          <img src={images[kind].url} alt={captures[kind].name} data-turns={images[kind].turns} />
        </div>
      </div>
      <p class="unseen" role="status">
        {status}
      </p>
    </dialog>
  );
}
