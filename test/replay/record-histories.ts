import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { captureKinds } from '../../domain/biometrics/biometrics';
import { confirmations, emailToken, smsSecondFactor, smsToken } from '../../flows/confirmations';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { flowWithEveryKind } from '../support/every-kind.flow';
import { rejectionOf } from '../support/rejection-of';
import { type TestTransaction, World } from '../support/world';

/** Settings of a token by SMS that expires after 1.5 s, so that a recording takes little time. */
const shortToken = { ...smsToken, expiresAfterMs: 1_500, resendAfterMs: 1_000 };

const text = { 'pt-BR': { body: '{{link}}' }, en: { body: '{{link}}' }, es: { body: '{{link}}' } };
const linkBySms = { channels: ['sms'], messages: { sms: text } } as const;

const capture = { imageId: 'i', width: 1200, height: 900, sharpness: 200, brightness: 120 };

/** What happens to each recorded transaction, by the name of its history. */
const recordings: Record<string, (transaction: TestTransaction, world: World) => Promise<unknown>> = {
  ...Object.fromEntries(
    confirmations.map((settings) => [
      settings.name,
      async (transaction: TestTransaction) => {
        await transaction.request(settings);
        if (settings.kind === 'token') await transaction.answer(settings, transaction.codeOfLastMessage(settings));
        else await transaction.reply(transaction.lastMessage().confirmationOrLinkId, { option: 1 });
      },
    ]),
  ),
  'delivered-in-the-background': async (transaction, world) => {
    world.activities.deliveryResults.push('outage', 'outage');
    await transaction.request(smsToken);
    await pause(4_000);
    await transaction.answer(smsToken, transaction.codeOfLastMessage(smsToken));
  },
  'refused-by-the-provider': async (transaction, world) => {
    world.activities.deliveryResults.push('DestinationRefused');
    await rejectionOf(transaction.request(smsToken));
    await transaction.request(smsToken);
  },
  expired: async (transaction) => {
    await transaction.request(shortToken);
    await pause(3_000);
    await transaction.request(shortToken);
  },
  'sent-again': async (transaction) => {
    await transaction.request(shortToken);
    await pause(1_100);
    await transaction.request(shortToken);
    await transaction.answer(shortToken, 'wrong');
    await transaction.answer(shortToken, transaction.codeOfLastMessage(shortToken));
  },
  'several-at-once': async (transaction) => {
    await Promise.all([smsToken, emailToken, smsSecondFactor].map((settings) => transaction.request(settings)));
    const [message] = transaction.messages().filter((message) => message.settings.name === smsSecondFactor.name);
    await Promise.all([
      transaction.answer(smsToken, 'wrong'),
      transaction.answer(emailToken, 'wrong'),
      transaction.sendDeliveryStatus(message?.sendId ?? '', 'delivered'),
      transaction.reply(message?.confirmationOrLinkId ?? '', { text: 'sim' }),
    ]);
  },
  'denied-while-codes-are-open': async (transaction) => {
    await Promise.all([smsToken, emailToken].map((settings) => transaction.request(settings)));
    await transaction.request(smsSecondFactor);
    await transaction.reply(transaction.lastMessage().confirmationOrLinkId, { text: 'nao' });
  },
  analysed: async (transaction, world) => {
    const { evidence, policy } = world.activities.assessment;
    await transaction.analyse('ratings');
    const countsByKind = { Phone: { documents: 8, denials: 0 } };
    world.activities.assessment = { evidence: { ...evidence, links: { pairs: [], countsByKind } }, policy };
    await Promise.all([transaction.analyse('scores'), transaction.analyse('insights'), transaction.request(smsToken)]);
    world.activities.reassessmentResults.push('outage', 'error');
    await rejectionOf(transaction.analyse('scores'));
    await transaction.answer(smsToken, transaction.codeOfLastMessage(smsToken));
    await transaction.analyse('scores');
  },
  biometrics: async (transaction) => {
    await transaction.requestLink('canceled');
    await transaction.requestLink('a');
    await transaction.sendPageAction('a', 'mine', { action: 'open' });
    await rejectionOf(transaction.sendPageAction('a', 'other', { action: 'open' }));
    await transaction.sendPageAction('a', 'mine', { action: 'consent' });
    await Promise.all(
      captureKinds.map((kind) => transaction.sendPageAction('a', 'mine', { action: 'capture', kind, capture })),
    );
    await transaction.sendPageAction('a', 'mine', { action: 'submit' });
    await transaction.decide('a', 'Approved');
  },
  'biometrics-sent': async (transaction, world) => {
    const channels = ['sms', 'email', 'whatsapp'] as const;
    const messages = { sms: text, email: text, whatsapp: text };
    world.activities.deliveryResults.push('accept', 'outage', 'DestinationRefused', 'accept');
    world.activities.faceFindings = { similarity: 0.95, liveness: 0.97, notes: [] };
    await transaction.requestLink('a', {
      channels,
      messages,
      facePolicy: { approve: { similarity: 0.9, liveness: 0.9 } },
    });
    await transaction.sendPageAction('a', 'mine', { action: 'open' });
    await transaction.sendDeliveryStatus('a.sms', 'sent');
    await transaction.sendPageAction('a', 'mine', { action: 'consent' });
    await Promise.all(
      captureKinds.map((kind) => transaction.sendPageAction('a', 'mine', { action: 'capture', kind, capture })),
    );
    await transaction.sendPageAction('a', 'mine', { action: 'submit' });
    await Promise.all([transaction.eraseImages(), transaction.request(smsToken)]);
    await transaction.requestLink('b', { facePolicy: {} });
  },
  'link-undelivered': async (transaction, world) => {
    world.activities.deliveryResults.push('DestinationRefused');
    await transaction.requestLink('a', linkBySms);
    await transaction.request(emailToken);
  },
  'link-after-failure': async (transaction) => {
    await transaction.request(smsToken);
    await transaction.sendDeliveryStatus(transaction.lastMessage().sendId, 'failed');
    await transaction.requestLink('a', linkBySms);
    await transaction.sendDeliveryStatus('a.sms', 'failed');
    await transaction.requestLink('b');
  },
  'flow-of-every-kind': async (transaction, world) => {
    const flow = {
      ...flowWithEveryKind,
      steps: { ...flowWithEveryKind.steps, pause: { kind: 'wait', seconds: 1, then: 'question' } },
    } as const;
    world.activities.findMatchingRule = () => 1;
    world.activities.webhookResults.push('outage', 'accept');
    const { runId } = await transaction.startFlow(flow);
    await transaction.answerFlow(runId, 'wrong');
    await transaction.answerFlow(runId, transaction.codeOfLastMessage(smsToken));
    await pause(3_000);
    const link = (await transaction.readState()).biometrics?.at(-1)?.id ?? '';
    await transaction.submitImages(link);
    await transaction.decide(link, 'Approved');
    await pause(2_500);
    await transaction.reply(transaction.lastMessage().confirmationOrLinkId, { option: 1 });
  },
  'flow-canceled': async (transaction, world) => {
    world.activities.deliveryResults.push('DestinationRefused');
    await transaction.startFlow(smsTokenFlow);
    const { runId } = await transaction.startFlow(smsTokenFlow);
    await transaction.cancelFlow(runId);
  },
  'flow-of-a-code': async (transaction) => {
    const { runId } = await transaction.startFlow(smsTokenFlow);
    await transaction.answerFlow(runId, transaction.codeOfLastMessage(smsToken));
  },
  'runs-side-by-side': async (transaction) => {
    const wait = { kind: 'wait', seconds: 2, then: 'end' } as const;
    const end = { kind: 'outcome', outcome: 'Done' } as const;
    await transaction.startFlow({ name: 'a-pause', version: 1, start: 'begun', steps: { begun: wait, end } });
    const { runId } = await transaction.startFlow(smsTokenFlow);
    await transaction.answerFlow(runId, transaction.codeOfLastMessage(smsToken));
    await pause(3_000);
  },
  'canceled-by-an-operator': async (transaction) => {
    await transaction.startFlow(smsTokenFlow);
    await transaction.handle.cancel();
    await transaction.handle.result().catch((error: Error) => error.name);
  },
  'canceled-while-somebody-asks': async (transaction, world) => {
    await transaction.startFlow(smsTokenFlow);
    world.activities.providerReady = pause(1_000);
    const pendingRequest = transaction.request(emailToken);
    await pause(500);
    await transaction.handle.cancel();
    await pendingRequest;
    await transaction.handle.result().catch((error: Error) => error.name);
  },
  // The history of the workflow run that found the record ahead of it, and continued as a new one.
  'record-ahead': async (transaction, world) => {
    await transaction.request(smsToken);
    world.activities.savesOfDeadWorker = 1;
    await transaction.answer(smsToken, transaction.codeOfLastMessage(smsToken)).catch((error: Error) => error.name);
  },
  'database-away': async (transaction, world) => {
    await transaction.request(smsToken);
    world.activities.savesToFail = 5;
    await transaction.answer(smsToken, transaction.codeOfLastMessage(smsToken));
  },
};

/** Replaces the values that differ in every recording: stack traces, and the names of process and host. */
function withoutHost(field: string, value: unknown): unknown {
  if (field === 'stackTrace') return '';
  // The name of a sticky task queue contains the process and the host of its worker.
  if (field === 'identity' || (typeof value === 'string' && value.includes(`@${hostname()}`))) return 'worker';
  return value;
}

// `npm run record-histories` runs these tests, which write the files in the folder `histories`. Until the first release, all histories are
// recorded again after every change of the workflow. After the first release, the files of earlier releases stay beside the new files.
test.each(Object.entries(recordings))('the history %s is recorded', async (name, runTransaction) => {
  const world = await World.open('temporal');
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  const { workflowId, runId } = await transaction.handle.describe();
  await runTransaction(transaction, world);
  // The first workflow run, even if a new one continues the transaction.
  const firstHistory = await world.env.client.workflow.getHandle(workflowId, runId).fetchHistory();
  const history = JSON.parse(historyToJSON(firstHistory), withoutHost);
  writeFileSync(path.join(__dirname, 'histories', `${name}.json`), JSON.stringify(history, undefined, 1));
  await world.close();
});
