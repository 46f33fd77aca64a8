import { fillText, minutesIn } from '../../../domain/confirmation-settings';
import type { ConfirmStep, NamedReply } from '../../../domain/flows/definition';
import { FlowError } from '../../../domain/flows/flow-error';
import { wayWords } from '../../../domain/flows/step-words';
import { languages } from '../../../domain/language';
import type { PersonLine } from '../../../dev/flow/person-line';
import type { Left, PaperRun } from './paper-run';

const shownCode = '482913';

interface Ask {
  step: ConfirmStep;
  run: PaperRun;
  options: readonly NamedReply[];
  began: number;
  sends: number;
  lastSendAt: number;
  wrong: number;
}

function send(ask: Ask): void {
  const { step, run, options } = ask;
  const text = step.message ?? run.templates.get(step.template ?? '')?.message;
  if (!text) throw new FlowError(`${run.flow.name}/${run.step} has no text.`);
  const values = {
    brand: 'Countersign',
    minutes: minutesIn((ask.began + step.expiresAfterSeconds - run.now) * 1_000),
    ...(step.ask === 'token' ? { code: shownCode.padEnd(step.codeDigits ?? 6, '0') } : {}),
  };
  const messages = Object.fromEntries(
    languages.map((language) => {
      const { subject, body } = text[language];
      const buttons = step.channel === 'sms' ? [] : options.map(({ label }) => `[${label[language]}]`);
      const shown = [fillText(body, values), ...(buttons.length > 0 ? [buttons.join(' ')] : [])].join('\n');
      return [language, { ...(subject === undefined ? {} : { subject: fillText(subject, values) }), body: shown }];
    }),
  ) as Parameters<PaperRun['send']>[1];
  ask.sends += 1;
  ask.lastSendAt = run.now;
  run.send(`sends ${wayWords(step.channel)}, ${ask.sends} of ${step.sendLimit}`, messages);
}

function sendAgain(ask: Ask): void {
  const { step, run, sends, lastSendAt } = ask;
  if (sends >= step.sendLimit) run.tell('asks for a further message: there is none left');
  else if (run.now < lastSendAt + step.resendAfterSeconds) run.tell('asks for a further message: too soon');
  else send(ask);
}

function reply({ options, run }: Ask, said: string, option: NamedReply | undefined): Left | undefined {
  if (option) return { what: `the person ${said}:`, exit: option.name };
  run.tell(`the person ${said}, which is none of the ${options.length} answers`);
  return undefined;
}

/** What a line does to an open ask; an exit when the ask is over by it. */
function act(ask: Ask, { act: line }: PersonLine): Left | undefined {
  const { step, run, options } = ask;
  if (line.does === 'asksAgain') sendAgain(ask);
  if (line.does === 'presses') {
    return reply(
      ask,
      `presses ${line.option}`,
      options.find(({ option }) => option === line.option),
    );
  }
  if (line.does === 'replies') {
    const words = line.words.toLowerCase();
    return reply(
      ask,
      `replies "${line.words}"`,
      options.find((option) => option.words.includes(words)),
    );
  }
  if (line.does !== 'enters' || step.ask !== 'token') return undefined;
  if (line.right) return { what: 'the person enters the code:', exit: 'Valid' };
  const limit = step.attemptLimit ?? 1;
  for (let time = 0; time < line.times && ask.wrong < limit; time += 1) {
    ask.wrong += 1;
    run.tell(`the person enters a wrong code, ${ask.wrong} of ${limit}`);
  }
  return ask.wrong >= limit ? { what: 'no tries are left:', exit: 'Blocked' } : undefined;
}

/** Asks on the channel of a step and lets the person answer by their lines. */
export function askConfirm(step: ConfirmStep, run: PaperRun): Left {
  const { phone, email } = run.scenario.transaction;
  const without = step.channel === 'email' ? email === null : phone === null;
  if (without) return { what: `there is no ${step.channel === 'email' ? 'e-mail address' : 'phone'}:`, exit: 'Failed' };
  const options = step.ask === 'token' ? [] : (step.options ?? run.templates.get(step.template ?? '')?.options ?? []);
  const ask: Ask = { step, run, options, began: run.now, sends: 0, lastSendAt: run.now, wrong: 0 };
  const closes = run.now + step.expiresAfterSeconds;
  let line = run.script.next(step.channel);
  if (line?.act.does === 'refuses' || line?.act.does === 'ignores') run.script.came(line);
  if (line?.act.does === 'refuses')
    return { what: `the provider refuses the message ${wayWords(step.channel)}:`, exit: 'Failed' };
  send(ask);
  while (line && line.act.does !== 'ignores' && run.now + line.afterSeconds < closes) {
    run.now += line.afterSeconds;
    if (line.act.does !== 'refuses') run.script.came(line);
    const left = act(ask, line);
    if (left) return left;
    line = run.script.next(step.channel);
    if (line?.act.does === 'ignores') run.script.came(line);
  }
  run.now = closes;
  return { what: 'nobody answers in time:', exit: 'Expired' };
}
