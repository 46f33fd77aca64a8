import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { captureKinds } from '../../domain/biometrics/biometrics';
import { confirmations, emailToken, smsSecondFactor, smsToken } from '../../flows/confirmations';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { everyKind } from '../support/every-kind.flow';
import { refusedWith } from '../support/refused';
import { type Told, World } from '../support/world';

const brief = { ...smsToken, expiresAfterMs: 1_500, resendAfterMs: 1_000 };

const text = { 'pt-BR': { body: '{{link}}' }, en: { body: '{{link}}' }, es: { body: '{{link}}' } };
const byOneMessage = { channels: ['sms'], messages: { sms: text } } as const;

/** The ways that a transaction can go, each recorded once. */
const capture = { imageId: 'i', width: 1200, height: 900, sharpness: 200, brightness: 120 };

const ways: Record<string, (told: Told, world: World) => Promise<unknown>> = {
  ...Object.fromEntries(
    confirmations.map((settings) => [
      settings.name,
      async (told: Told) => {
        await told.request(settings);
        if (settings.kind === 'token') await told.answer(settings, told.code(settings));
        else await told.reply(told.lastMessage().confirmationId, { option: 1 });
      },
    ]),
  ),
  'delivered-in-the-background': async (told, world) => {
    world.activities.fates.push('outage', 'outage');
    await told.request(smsToken);
    await pause(4_000);
    await told.answer(smsToken, told.code(smsToken));
  },
  'refused-by-the-provider': async (told, world) => {
    world.activities.fates.push('DestinationRefused');
    await refusedWith(told.request(smsToken));
    await told.request(smsToken);
  },
  expired: async (told) => {
    await told.request(brief);
    await pause(3_000);
    await told.request(brief);
  },
  'sent-again': async (told) => {
    await told.request(brief);
    await pause(1_100);
    await told.request(brief);
    await told.answer(brief, 'wrong');
    await told.answer(brief, told.code(brief));
  },
  'several-at-once': async (told) => {
    await Promise.all([smsToken, emailToken, smsSecondFactor].map((settings) => told.request(settings)));
    const [second] = told.messages().filter((message) => message.flow.name === smsSecondFactor.name);
    await Promise.all([
      told.answer(smsToken, 'wrong'),
      told.answer(emailToken, 'wrong'),
      told.progress(second?.sendId ?? '', 'delivered'),
      told.reply(second?.confirmationId ?? '', { text: 'nao' }),
    ]);
  },
  analysed: async (told, world) => {
    const { evidence, policy } = world.activities.found;
    await told.analyse('ratings');
    const spread = { Phone: { documents: 8, denials: 0 } };
    world.activities.found = { evidence: { ...evidence, links: { pairs: [], spread } }, policy };
    await Promise.all([told.analyse('scores'), told.analyse('insights'), told.request(smsToken)]);
    world.activities.lookFates.push('outage', 'fault');
    await refusedWith(told.analyse('scores'));
    await told.answer(smsToken, told.code(smsToken));
    await told.analyse('scores');
  },
  biometrics: async (told) => {
    await told.link('canceled');
    await told.link('a');
    await told.step('a', 'mine', { step: 'open' });
    await refusedWith(told.step('a', 'other', { step: 'open' }));
    await told.step('a', 'mine', { step: 'consent' });
    await Promise.all(captureKinds.map((kind) => told.step('a', 'mine', { step: 'capture', kind, capture })));
    await told.step('a', 'mine', { step: 'submit' });
    await told.decide('a', 'Approved');
  },
  'biometrics-sent': async (told, world) => {
    const channels = ['sms', 'email', 'whatsapp'] as const;
    const messages = { sms: text, email: text, whatsapp: text };
    world.activities.fates.push('accept', 'outage', 'DestinationRefused', 'accept');
    world.activities.faces = { similarity: 0.95, liveness: 0.97, notes: [] };
    await told.link('a', { channels, messages, facePolicy: { approve: { similarity: 0.9, liveness: 0.9 } } });
    await told.step('a', 'mine', { step: 'open' });
    await told.progress('a.sms', 'sent');
    await told.step('a', 'mine', { step: 'consent' });
    await Promise.all(captureKinds.map((kind) => told.step('a', 'mine', { step: 'capture', kind, capture })));
    await told.step('a', 'mine', { step: 'submit' });
    await Promise.all([told.eraseImages(), told.request(smsToken)]);
    await told.link('b', { facePolicy: {} });
  },
  'link-undelivered': async (told, world) => {
    world.activities.fates.push('DestinationRefused');
    await told.link('a', byOneMessage);
    await told.request(emailToken);
  },
  'link-after-failure': async (told) => {
    await told.request(smsToken);
    await told.progress(told.lastMessage().sendId, 'failed');
    await told.link('a', byOneMessage);
    await told.progress('a.sms', 'failed');
    await told.link('b');
  },
  'flow-of-every-kind': async (told, world) => {
    const flow = {
      ...everyKind,
      steps: { ...everyKind.steps, pause: { kind: 'wait', seconds: 1, then: 'question' } },
    } as const;
    world.activities.rule = () => 1;
    world.activities.noticeFates.push('away', 'take');
    const { runId } = await told.startFlow(flow);
    await told.answerFlow(runId, 'wrong');
    await told.answerFlow(runId, told.code(smsToken));
    await pause(3_000);
    const link = (await told.state()).biometrics?.at(-1)?.id ?? '';
    await told.handIn(link);
    await told.decide(link, 'Approved');
    await pause(2_500);
    await told.reply(told.lastMessage().confirmationId, { option: 1 });
  },
  'flow-canceled': async (told, world) => {
    world.activities.fates.push('DestinationRefused');
    await told.startFlow(smsTokenFlow);
    const { runId } = await told.startFlow(smsTokenFlow);
    await told.cancelFlow(runId);
  },
  'flow-of-a-code': async (told) => {
    const { runId } = await told.startFlow(smsTokenFlow);
    await told.answerFlow(runId, told.code(smsToken));
  },
  'runs-side-by-side': async (told) => {
    const begun = { kind: 'wait', seconds: 2, then: 'end' } as const;
    const end = { kind: 'outcome', outcome: 'Done' } as const;
    await told.startFlow({ name: 'a-pause', version: 1, start: 'begun', steps: { begun, end } });
    const { runId } = await told.startFlow(smsTokenFlow);
    await told.answerFlow(runId, told.code(smsToken));
    await pause(3_000);
  },
  'canceled-by-an-operator': async (told) => {
    await told.startFlow(smsTokenFlow);
    await told.handle.cancel();
    await told.handle.result().catch((error: Error) => error.name);
  },
  'canceled-while-somebody-asks': async (told, world) => {
    await told.startFlow(smsTokenFlow);
    world.activities.providerAnswers = pause(1_000);
    const asked = told.request(emailToken);
    await pause(500);
    await told.handle.cancel();
    await asked;
    await told.handle.result().catch((error: Error) => error.name);
  },
  'stale-record-overwritten': async (told, world) => {
    world.activities.passes = 1;
    await told.request(smsToken);
    world.activities.passes = 2;
    await told.answer(smsToken, told.code(smsToken));
  },
  'database-away': async (told, world) => {
    await told.request(smsToken);
    world.activities.recordOutages = 5;
    await told.answer(smsToken, told.code(smsToken));
  },
};

/** Where a history was recorded is nobody's business, and would differ in every recording. */
function withoutPlace(field: string, value: unknown): unknown {
  if (field === 'stackTrace') return '';
  // A queue of one worker is named for its process and its host.
  if (field === 'identity' || (typeof value === 'string' && value.includes(`@${hostname()}`))) return 'worker';
  return value;
}

// Run by `npm run record-histories`. Until the first release every change of the workflow records all again; from then on the files of
// earlier releases stay beside the new.
test.each(Object.entries(ways))('record %s', async (name, go) => {
  const world = await World.open('real');
  const told = await world.transaction();
  await world.assessed(told);
  await go(told, world);
  const history = JSON.parse(historyToJSON(await told.history()), withoutPlace);
  writeFileSync(path.join(__dirname, 'histories', `${name}.json`), JSON.stringify(history, undefined, 1));
  await world.close();
});
