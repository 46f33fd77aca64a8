import { foreign, h } from '../../pages/browser/elements.mjs';
import { standing } from './standing.mjs';
import { lasted, moment } from './times.mjs';

const channels = { sms: 'SMS', email: 'e-mail', whatsapp: 'WhatsApp' };

/** What a run waits for, and until when. Does not show the URL of a link, which is for the person only. */
function awaitedText({ kind, channel, expiresAt, until }) {
  const what = {
    token: `the code by ${channels[channel] ?? channel}`,
    reply: `the reply by ${channels[channel] ?? channel}`,
    images: 'the images',
    decision: 'the decision on the images',
    time: 'time to pass',
  };
  return [`${what[kind] ?? kind}, until `, moment(until ?? expiresAt)];
}

const fact = (name, ...value) => [h('dt', {}, name), h('dd', {}, ...value)];

export const runFacts = (run) =>
  h(
    'dl',
    { class: 'facts' },
    fact('State', standing(run)),
    fact('Run', h('span', { class: 'mono whole' }, foreign(run.runId))),
    run.awaited ? fact('Waits for', awaitedText(run.awaited)) : undefined,
    fact('Started', moment(run.startedAt)),
    run.endedAt
      ? [fact('Ended', moment(run.endedAt)), fact('Took', lasted(run.startedAt, run.endedAt))].flat()
      : undefined,
  );
