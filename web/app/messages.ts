import { createStore } from './store';

/** Shown at the bottom of the page; empty for none. */
export const notice = createStore('');

/** Read by screen readers, and not shown. */
export const liveText = createStore('');

let messageOfNextView = '';

export const showNotice = (text: string): void => notice.set(text);

export const announce = (text: string): void => liveText.set(text);

/** Shows and announces a text at the top of the next view. */
export function announceInNextView(text: string): void {
  messageOfNextView = text;
}

/** The text for the view that is shown now. Each text is for one view only. */
export function takeMessage(): string {
  const text = messageOfNextView;
  messageOfNextView = '';
  return text;
}
