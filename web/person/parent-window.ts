import type { FrameEvent, FrameSettings } from '../api-types';

const isFramed = () => window.parent !== window;

/**
 * The origins to which events go. The browser shows this page only in frames of the allowed origins, and delivers an event only to a
 * parent with exactly the given origin. If the browser names the origin of the parent, events go only to this origin.
 */
function targetsOf({ origins }: FrameSettings): readonly string[] {
  // Firefox had no ancestorOrigins before 2026.
  const parent = (location as { ancestorOrigins?: DOMStringList }).ancestorOrigins?.[0];
  return parent === undefined ? origins : origins.filter((origin) => origin === parent);
}

/** Sends an event to the page around this frame. Without a frame, or without an allowed origin, sends nothing. */
export function tellParent(frame: FrameSettings | undefined, event: FrameEvent): void {
  if (!frame || !isFramed()) return;
  const message = { source: 'countersign', transactionId: frame.transactionId, ...event };
  for (const origin of targetsOf(frame)) window.parent.postMessage(message, origin);
}

/** Sends the height of the content now and after each change, so that the frame needs no scroll bar. */
export function reportHeight(frame: FrameSettings | undefined): void {
  if (!frame || !isFramed()) return;
  // The style sheet makes the body as high as the window, or higher. In a frame, the reported height could then never decrease.
  document.body.style.minHeight = '0';
  let reported = 0;
  const report = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height !== reported) tellParent(frame, { type: 'resize', height });
    reported = height;
  };
  new ResizeObserver(report).observe(document.body);
}
