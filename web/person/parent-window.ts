import type { FrameEvent, FrameSettings } from '../api-types';

const isFramed = () => window.parent !== window;

/**
 * The web origins, such as https://shop.example, to which this page sends each event. If the browser tells the page the origin of its
 * parent window, the list has only this origin, or is empty if this origin is not allowed. If the browser does not tell the origin, the
 * list has all allowed origins. The browser then drops each event for an origin that the parent window does not have.
 */
function targetsOf({ origins }: FrameSettings): readonly string[] {
  // Firefox had no ancestorOrigins before 2026.
  const parent = (location as { ancestorOrigins?: DOMStringList }).ancestorOrigins?.[0];
  return parent === undefined ? origins : origins.filter((origin) => origin === parent);
}

/** Sends an event to the page around this frame. Sends nothing if this page is not in a frame, or if no origin is allowed. */
export function tellParent(frame: FrameSettings | undefined, event: FrameEvent): void {
  if (!frame || !isFramed()) return;
  const message = { source: 'countersign', transactionId: frame.transactionId, ...event };
  for (const origin of targetsOf(frame)) window.parent.postMessage(message, origin);
}

/** Sends the height of the content now and after each change, so that the frame needs no scroll bar. */
export function reportHeight(frame: FrameSettings | undefined): void {
  if (!frame || !isFramed()) return;
  // The style sheet makes the body at least as high as the window. In a frame, the window has the height that was reported before. So
  // without this line, the reported height would never decrease.
  document.body.style.minHeight = '0';
  let reported = 0;
  const report = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height !== reported) tellParent(frame, { type: 'resize', height });
    reported = height;
  };
  new ResizeObserver(report).observe(document.body);
}
