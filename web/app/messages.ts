import { createStore } from './store';

/** The notice at the bottom of the page. Empty: no notice. */
export const notice = createStore('');

/** A text that only screen readers announce. */
export const liveText = createStore('');

/** The text that the next view shows and announces. Empty if there is none. */
let messageOfNextView = '';

/** How long a toast is shown: long enough to read a short sentence. */
const toastMs = 2_400;

let toastTimer: ReturnType<typeof setTimeout> | undefined;

/** Shows a notice. An empty text removes the notice. */
export function showNotice(text: string): void {
  // The timer of an earlier toast must not remove this notice.
  clearTimeout(toastTimer);
  notice.set(text);
}

/** Shows a short notice that disappears. */
export function showToast(text: string): void {
  showNotice(text);
  toastTimer = setTimeout(() => showNotice(''), toastMs);
}

/** Lets screen readers announce a text. */
export const announce = (text: string): void => liveText.set(text);

/** Shows and announces a text at the top of the next view. */
export function announceInNextView(text: string): void {
  messageOfNextView = text;
}

/** Returns the text of `announceInNextView`, and forgets it, so that only one view shows the text. */
export function takeMessage(): string {
  const text = messageOfNextView;
  messageOfNextView = '';
  return text;
}
