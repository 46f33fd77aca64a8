import { h } from '../../pages/browser/elements.mjs';
import { announce, show } from './screen.mjs';
import { fill, texts } from './texts.mjs';
import { upload } from './upload.mjs';

/** Screen readers announce only quarters. */
const quarter = (percent) => Math.floor(percent / 25);

/** Sends a picture and shows its progress. Resolves to {}, or to { issue } if the API rejected it. */
export async function sendImage({ kind, step }, { blob }) {
  const { heading, text, percent, finishing, kept } = texts.sending;
  const bar = h('progress', { max: '100', value: '0', 'aria-label': heading });
  const line = h('p', { class: 'percent' }, fill(percent, { percent: 0 }));
  show({ name: 'sending', heading, step }, h('p', { class: 'lead' }, text), bar, line);
  let announced = 0;
  const outcome = await upload(kind, blob, (share) => {
    const reached = Math.floor(share * 100);
    bar.value = reached;
    line.textContent = fill(percent, { percent: reached });
    if (quarter(reached) > announced) announce(line.textContent);
    announced = Math.max(announced, quarter(reached));
  });
  bar.value = 100;
  line.textContent = finishing;
  if (!outcome.issue) announce(kept);
  return outcome;
}
