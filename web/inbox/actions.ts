import { showToast } from '../app/messages';
import { textsNow } from '../app/use-texts';
import { inboxTexts } from './inbox-texts';

/** Waits for an action. If it fails, shows the message of its error. */
export const attempt = (action: Promise<unknown>): void =>
  void action.catch(({ message }: Error) => showToast(message));

/** Copies a text, and then shows the notice `success`. */
export const copyText = (text: string, success: string): void =>
  void navigator.clipboard.writeText(text).then(
    () => showToast(success),
    () => showToast(textsNow(inboxTexts).copy.failed(text)),
  );
