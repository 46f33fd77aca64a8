import { bdiText, h } from '../../pages/browser/elements.mjs';
import { statusTag } from './status-tag.mjs';
import { durationText, timeElement } from './times.mjs';

const channels = { sms: 'SMS', email: 'e-mail', whatsapp: 'WhatsApp' };

/** What a run waits for, and until when. Does not show the URL of a link, because it is only for the person. */
function awaitedText({ kind, channel, expiresAt, until }) {
  const descriptions = {
    token: `the code by ${channels[channel] ?? channel}`,
    reply: `the reply by ${channels[channel] ?? channel}`,
    images: 'the images',
    decision: 'the decision on the images',
    time: 'the end of a pause',
  };
  return [`${descriptions[kind] ?? kind}, until `, timeElement(until ?? expiresAt)];
}

const fact = (name, ...value) => [h('dt', {}, name), h('dd', {}, ...value)];

export const runFacts = (run) =>
  h(
    'dl',
    { class: 'facts' },
    fact('State', statusTag(run)),
    fact('Run', h('span', { class: 'mono whole' }, bdiText(run.runId))),
    run.awaited ? fact('Waits for', awaitedText(run.awaited)) : undefined,
    fact('Started', timeElement(run.startedAt)),
    run.endedAt
      ? [fact('Ended', timeElement(run.endedAt)), fact('Duration', durationText(run.startedAt, run.endedAt))].flat()
      : undefined,
  );
