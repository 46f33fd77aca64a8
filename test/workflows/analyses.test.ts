import { setTimeout as pause } from 'node:timers/promises';
import { defaultPolicy } from '../../domain/scoring/policy';
import type { Evidence } from '../../domain/scoring/evidence';
import { smsToken } from '../../flows/confirmations';
import { rejectionOf } from '../support/rejection-of';
import { World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const defaultEvidence: Evidence = {
  document: { kind: 'CPF', checkDigits: 'right', repeated: false, alphanumeric: false },
};
/** Eight documents share the phone, which lowers the score. */
const sharedPhoneEvidence: Evidence = {
  ...defaultEvidence,
  links: { pairs: [], countsByKind: { Phone: { documents: 8, denials: 0 } } },
};
const setEvidence = (evidence: Evidence) => {
  world.activities.assessment = { evidence, policy: defaultPolicy };
};
beforeEach(() => setEvidence(defaultEvidence));

const startTransaction = async (input = {}) => {
  const transaction = await world.createTransaction(input);
  await world.waitForAssessment(transaction);
  return transaction;
};

test('if nothing has changed, a repeated analysis returns the same list', async () => {
  const transaction = await startTransaction();
  const first = await transaction.analyse('ratings');
  expect(first.ratings?.length).toBe(6);
  expect(await transaction.analyse('ratings')).toEqual(first);
  expect((await transaction.analyse('scores')).scores).toHaveLength(1);
});

test('if other transactions have changed the evidence, a reassessment appends a score and saves it', async () => {
  const transaction = await startTransaction();
  setEvidence(sharedPhoneEvidence);
  const { scores } = await transaction.analyse('scores');
  expect(scores?.map(({ reason }) => reason)).toEqual(['Initial', 'Reassessed']);
  expect(scores?.[1]?.value).toBeLessThan(scores?.[0]?.value ?? 0);
  expect((await transaction.analyse('insights')).insights).toContainEqual({ code: 'PH004', relevance: 'Negativo' });
  const record = world.activities.records.get(transaction.id);
  expect(record?.scores).toMatchObject(scores ?? []);
  expect(record?.evidence?.links).toEqual(sharedPhoneEvidence.links);
});

test('a confirmation is scored with the evidence of the newest assessment', async () => {
  const transaction = await startTransaction();
  setEvidence(sharedPhoneEvidence);
  await transaction.analyse('scores');
  await transaction.request(smsToken);
  await transaction.answer(smsToken, transaction.codeOfLastMessage(smsToken));
  const { scores } = await transaction.analyse('scores');
  expect(scores?.map(({ reason }) => reason)).toEqual(['Initial', 'Reassessed', 'PhoneChecked']);
  expect(scores?.[2]?.value).toBeLessThan((scores?.[0]?.value ?? 0) + 20);
});

test('a card check without a card is rejected, and leaves no event in the history', async () => {
  const transaction = await startTransaction();
  expect(await rejectionOf(transaction.analyse('card'))).toMatchObject({ type: 'CardMissing' });
  const { events } = await transaction.fetchHistory();
  expect(events?.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes)).toEqual([]);
  const withCard = await startTransaction({ card: { bin: '411111', last4: '1111' } });
  expect((await withCard.analyse('card')).scores).toHaveLength(1);
});

test('an analysis with an internal error is rejected, and changes nothing', async () => {
  const transaction = await startTransaction();
  const before = await transaction.readView();
  world.activities.reassessmentResults.push('error');
  expect(await rejectionOf(transaction.analyse('insights'))).toMatchObject({ type: 'AnalysisFailed' });
  expect(await transaction.readView()).toEqual(before);
  await transaction.request(smsToken);
  expect(await transaction.answer(smsToken, transaction.codeOfLastMessage(smsToken))).toMatchObject({
    status: 'Valid',
  });
  expect((await transaction.analyse('insights')).insights?.map(({ code }) => code)).toContain('CF001');
});

test('an analysis is retried during an outage, and a repeat with the same idempotency key gets the same result', async () => {
  const transaction = await startTransaction();
  const countBefore = world.activities.reassessments.length;
  world.activities.reassessmentResults.push('outage', 'outage');
  const [first, repeat] = await Promise.all([
    transaction.analyse('scores', 'key'),
    transaction.analyse('scores', 'key'),
  ]);
  expect(repeat).toEqual(first);
  expect(world.activities.reassessments.length - countBefore).toBe(3);
});

test('a reassessment does not call the bureau again', async () => {
  const bureau = { findings: [] };
  setEvidence({ ...defaultEvidence, bureau });
  const transaction = await startTransaction();
  await transaction.analyse('scores');
  expect(world.activities.reassessments.at(-1)).toMatchObject({ id: transaction.id, earlierLookups: { bureau } });
});

/** `opened` resolves when the test calls `open`. */
function createGate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const pauseBriefly = () => new Promise((resolve) => setTimeout(resolve, 300));

test('a reassessment during a slow first assessment returns a result, and the first assessment then changes nothing', async () => {
  const firstAssessment = createGate();
  world.activities.firstAssessmentReady = firstAssessment.opened;
  const transaction = await world.createTransaction();
  const { scores } = await transaction.analyse('scores');
  expect(scores?.map(({ reason }) => reason)).toEqual(['Initial']);
  setEvidence(sharedPhoneEvidence);
  firstAssessment.open();
  await pauseBriefly();
  await transaction.request(smsToken);
  expect(await transaction.readView()).toMatchObject({ scores });
});

test('older evidence never replaces newer evidence', async () => {
  const transaction = await startTransaction();
  const olderGate = createGate();
  world.activities.reassessmentReady = olderGate.opened;
  world.activities.reassessmentResults.push('wait');
  const slowAnalysis = transaction.analyse('insights');
  await pauseBriefly();
  setEvidence(sharedPhoneEvidence);
  const quickAnalysis = transaction.analyse('insights');
  await pauseBriefly();
  olderGate.open();
  await slowAnalysis;
  expect((await quickAnalysis).insights).toContainEqual({ code: 'PH004', relevance: 'Negativo' });
  expect((await transaction.readView()).insights.map(({ code }) => code)).toContain('PH004');
});

test('while a reassessment runs, other callers wait, and all of them share the next reassessment', async () => {
  const transaction = await startTransaction();
  const countBefore = world.activities.reassessments.length;
  const gate = createGate();
  world.activities.reassessmentReady = gate.opened;
  world.activities.reassessmentResults.push('wait');
  const runningAnalysis = transaction.analyse('scores');
  while (world.activities.reassessments.length === countBefore) await pause(10);
  const waitingAnalyses = [
    transaction.analyse('scores'),
    transaction.analyse('scores'),
    transaction.analyse('ratings'),
  ];
  await pauseBriefly();
  gate.open();
  await Promise.all([runningAnalysis, ...waitingAnalyses]);
  expect(world.activities.reassessments.length - countBefore).toBe(2);
});

test('while four analyses wait, a fifth analysis is rejected, and a code can be sent and entered', async () => {
  const transaction = await startTransaction();
  const slowGate = createGate();
  world.activities.reassessmentReady = slowGate.opened;
  world.activities.reassessmentResults.push('wait');
  const waitingAnalyses = Array.from({ length: 4 }, () => transaction.analyse('scores'));
  await pauseBriefly();
  expect(await rejectionOf(transaction.analyse('scores'))).toMatchObject({ type: 'AnalysisBusy' });
  await transaction.request(smsToken);
  expect(await transaction.answer(smsToken, transaction.codeOfLastMessage(smsToken))).toMatchObject({
    status: 'Valid',
  });
  slowGate.open();
  await Promise.all(waitingAnalyses);
});

test('every reassessment saves a new version of the record', async () => {
  const transaction = await startTransaction();
  await transaction.analyse('scores');
  const before = world.activities.records.get(transaction.id)?.version ?? 0;
  await transaction.analyse('scores');
  expect(world.activities.records.get(transaction.id)?.version).toBe(before + 1);
});

test('a reassessment gets the DNS answer of the first assessment, for use during a DNS outage', async () => {
  setEvidence({ ...defaultEvidence, email: { disposable: false, mailServer: 'none' } });
  const transaction = await startTransaction();
  await transaction.analyse('scores');
  expect(world.activities.reassessments.at(-1)?.earlierLookups).toEqual({ mailServer: 'none' });
});

test('after many analyses, only the results of the last 20 analyses stay, but the result of an earlier send stays too', async () => {
  const transaction = await startTransaction();
  await transaction.request(smsToken, 'the-send');
  for (let index = 0; index < 30; index += 1) await transaction.analyse('scores', `look-${index}`);
  await transaction.analyse('scores', 'without-a-key', false);
  const { responses: answers = [] } = world.activities.records.get(transaction.id) ?? {};
  const ids = answers.map(({ keyPart }) => keyPart);
  expect(ids).toContain('the-send');
  expect(ids.filter((id) => id.startsWith('look-'))).toHaveLength(20);
  expect(ids).not.toContain('without-a-key');
});
