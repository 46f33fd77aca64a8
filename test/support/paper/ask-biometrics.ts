import type { BiometricsStep } from '../../../domain/flows/definition';
import { durationWords, wayWords } from '../../../domain/flows/step-words';
import { languages } from '../../../domain/language';
import { biometricsLink } from '../../../flows/biometrics-link';
import { fillLinkMessages, fillLinkText } from '../../../domain/biometrics/link-message';
import type { Left, PaperRun } from './paper-run';

const shownLink = 'https://…/biometrics/…';

function sendLinks({ channels, linkSeconds }: BiometricsStep, run: PaperRun): void {
  const texts = fillLinkMessages(biometricsLink, { brand: 'Countersign', hours: Math.round(linkSeconds / 3_600) });
  const { phone, email } = run.scenario.transaction;
  for (const channel of channels) {
    if ((channel === 'email' ? email : phone) === null) continue;
    const messages = Object.fromEntries(
      languages.map((language) => {
        const { subject, body } = texts[channel][language];
        const filled = fillLinkText(body, { link: shownLink });
        return [language, { ...(subject === undefined ? {} : { subject }), body: filled }];
      }),
    ) as Parameters<PaperRun['send']>[1];
    run.send(`sends the link ${wayWords(channel)}`, messages);
  }
  if (channels.length === 0) run.tell('makes a link, which the caller gives to the person');
}

/** Makes a link and lets the person, and a reviewer, go on by the lines about pictures. */
export function askBiometrics(step: BiometricsStep, run: PaperRun): Left {
  sendLinks(step, run);
  let closes = run.now + step.linkSeconds;
  let stands: 'Expired' | 'Abandoned' | 'Undecided' = 'Expired';
  for (let line = run.script.next('pictures'); line; line = run.script.next('pictures')) {
    const { does } = line.act;
    if (does === 'ignores' || run.now + line.afterSeconds < closes) run.script.came(line);
    if (does === 'ignores' || run.now + line.afterSeconds >= closes) break;
    run.now += line.afterSeconds;
    if (does === 'hasPicturesErased') return { what: 'the pictures are erased:', exit: 'Canceled' };
    if (does === 'opens') {
      run.tell('the person opens the link');
      stands = 'Abandoned';
    }
    if (does === 'submits') {
      run.tell('the person hands in the pictures');
      stands = 'Undecided';
      closes = run.now + step.decideWithinSeconds;
    }
    if (line.act.does === 'isDecided' && stands === 'Undecided')
      return { what: `decided after ${durationWords(line.afterSeconds)}:`, exit: line.act.status };
  }
  run.now = closes;
  const words = { Expired: 'nobody opens the link', Abandoned: 'no pictures come', Undecided: 'nobody decides' };
  return { what: `${words[stands]} in time:`, exit: stands };
}
