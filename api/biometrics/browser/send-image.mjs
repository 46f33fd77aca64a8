import { h } from '../../pages/browser/elements.mjs';
import { announce, showScreen } from './screen.mjs';
import { fill, texts } from './texts.mjs';
import { upload } from './upload.mjs';

/** Screen readers announce the progress at each quarter only. */
const quarterOf = (percent) => Math.floor(percent / 25);

/** Sends a picture and shows its progress. Resolves to {}, or to { issue } if the API rejected it. */
export async function sendImage({ kind, step }, { blob }) {
  const { heading, text, percent, finishing, kept } = texts.sending;
  const progressBar = h('progress', { max: '100', value: '0', 'aria-label': heading });
  const percentLine = h('p', { class: 'percent' }, fill(percent, { percent: 0 }));
  showScreen({ name: 'sending', heading, step }, h('p', { class: 'lead' }, text), progressBar, percentLine);
  let announcedQuarter = 0;
  const result = await upload(kind, blob, (share) => {
    const percentSent = Math.floor(share * 100);
    progressBar.value = percentSent;
    percentLine.textContent = fill(percent, { percent: percentSent });
    if (quarterOf(percentSent) > announcedQuarter) announce(percentLine.textContent);
    announcedQuarter = Math.max(announcedQuarter, quarterOf(percentSent));
  });
  progressBar.value = 100;
  percentLine.textContent = finishing;
  if (!result.issue) announce(kept);
  return result;
}
