import { announce } from '../app/messages';
import { createStore, type Store, useStore } from '../app/store';
import { ProgressBar } from '../kit/progress';
import { fill } from './biometrics-texts';
import type { Capture } from './captures';
import type { DrawnImage } from './image';
import { texts } from './page-texts';
import { showScreen } from './screen';
import { upload, type UploadResult } from './upload';

/** The number of full quarters. Screen readers announce the progress only at each quarter. */
const quarterOf = (percent: number) => Math.floor(percent / 25);

/** `sent`: the sent part of the picture in whole percent, or `all` while the service processes the picture. */
function Sending({ sent }: { sent: Store<number | 'all'> }) {
  const { heading, text, percent, finishing } = texts.sending;
  const now = useStore(sent);
  return (
    <>
      <p class="lead">{text}</p>
      <ProgressBar label={heading} value={now === 'all' ? 1 : now / 100} />
      <p class="percent">{now === 'all' ? finishing : fill(percent, { percent: now })}</p>
    </>
  );
}

/** Sends a picture and shows the progress. Resolves to {}, or to { issue } if the API rejected the picture. */
export async function sendImage({ kind, step }: Capture, { blob }: DrawnImage): Promise<UploadResult> {
  const { heading, percent, kept } = texts.sending;
  const sent = createStore<number | 'all'>(0);
  showScreen({ name: 'sending', heading, step, content: <Sending sent={sent} /> });
  let announcedQuarter = 0;
  const result = await upload(kind, blob, (share) => {
    const percentSent = Math.floor(share * 100);
    sent.set(percentSent);
    if (quarterOf(percentSent) > announcedQuarter) announce(fill(percent, { percent: percentSent }));
    announcedQuarter = Math.max(announcedQuarter, quarterOf(percentSent));
  });
  sent.set('all');
  if (!result.issue) announce(kept);
  return result;
}
