import { showNotice } from '../app/messages';
import { textsNow } from '../app/use-texts';
import { inboxTexts } from './inbox-texts';

/** Long enough to read a short sentence. */
const shownMs = 2_400;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a short notice that disappears. */
export function showToast(text: string): void {
  showNotice(text);
  clearTimeout(timer);
  timer = setTimeout(() => showNotice(''), shownMs);
}

/** Runs an action, and shows the message of its error. */
export const attempt = (action: Promise<unknown>): void =>
  void action.catch(({ message }: Error) => showToast(message));

/** Copies a text, and shows `success`. */
export const copyText = (text: string, success: string): void =>
  void navigator.clipboard.writeText(text).then(
    () => showToast(success),
    () => showToast(textsNow(inboxTexts).copy.failed(text)),
  );
