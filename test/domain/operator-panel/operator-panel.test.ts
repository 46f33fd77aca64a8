import type { Biometrics, LinkSend } from '../../../domain/biometrics/biometrics';
import type { ConfirmationSettings } from '../../../domain/confirmations/settings';
import type { Confirmation, StatusLogEntry, Send } from '../../../domain/confirmations/confirmation';
import type { Awaiting, FlowRun } from '../../../domain/flows/run';
import { addRun } from '../../../domain/flows/runs';
import { searchAttributesOf, operatorPanel } from '../../../domain/operator-panel/operator-panel';
import { transactionStatusOf } from '../../../domain/transactions/status';
import { addSend, revertSend } from '../../../domain/confirmations/send';
import type { TransactionState } from '../../../domain/transactions/state';
import { emailToken, smsSecondFactor, smsToken } from '../../../flows/confirmations';
import { flowWithEveryKind } from '../../support/every-kind.flow';
import { planOf } from '../../support/flow-plan';
import { toView } from '../../../domain/transactions/views';
import { buildState, addMs, propose } from '../../support/build';

const timeAt = (minutes: number) => addMs('2026-01-01T19:00:00.000Z', minutes * 60_000);

const buildLink = (change: Partial<Biometrics> = {}): Biometrics => ({
  id: 'a',
  tokenHash: 'hash of a',
  status: 'Waiting',
  createdAt: timeAt(0),
  expiresAt: timeAt(1_440),
  identifierDate: timeAt(0),
  language: 'en',
  sends: [],
  captures: {},
  taken: 0,
  imageDays: 90,
  ...change,
});

const buildSends = (...states: LinkSend['state'][]): LinkSend[] =>
  states.map((state, index) => ({ id: `a.${index}`, channel: index === 0 ? 'sms' : 'email', state }));

const stateWithLinks = (...biometrics: Biometrics[]): TransactionState => ({
  ...buildState({}, timeAt(-1)),
  biometrics,
});

function stateWithCode(
  state: TransactionState,
  now: string,
  status: 'Waiting' | 'Failed' | 'Blocked',
  settings: ConfirmationSettings = smsToken,
): TransactionState {
  const result = addSend(state, propose(settings, state.id), now);
  if ('error' in result) throw new Error(result.error.type);
  const { confirmations } = result.state;
  return { ...result.state, confirmations: confirmations.map((one) => ({ ...one, status })) };
}

test.each<[string, string, TransactionState]>([
  [
    'all messages with a link failed',
    'Undeliverable',
    stateWithLinks(buildLink({ sends: buildSends('failed', 'failed') })),
  ],
  [
    'one of two messages with a link failed',
    'Open',
    stateWithLinks(buildLink({ sends: buildSends('failed', 'accepted') })),
  ],
  [
    'one message with a link failed and one is still pending',
    'Open',
    stateWithLinks(buildLink({ sends: buildSends('failed', 'pending') })),
  ],
  ['the caller sends the link', 'Open', stateWithLinks(buildLink())],
  [
    'the message with the link failed, but the link was opened',
    'Open',
    stateWithLinks(buildLink({ sends: buildSends('failed'), openedAt: timeAt(1) })),
  ],
  [
    'the message with a link failed, and the caller sends a newer link',
    'Undeliverable',
    stateWithLinks(
      buildLink({ sends: buildSends('failed'), status: 'Canceled' }),
      buildLink({ id: 'b', createdAt: timeAt(2) }),
    ),
  ],
  [
    'the message with a link failed, and a later code waits',
    'Open',
    stateWithCode(stateWithLinks(buildLink({ sends: buildSends('failed') })), timeAt(2), 'Waiting'),
  ],
  [
    'the message with a link failed, and a later code failed',
    'Undeliverable',
    stateWithCode(stateWithLinks(buildLink({ sends: buildSends('failed') })), timeAt(2), 'Failed'),
  ],
  [
    'the message with a link was accepted, and an earlier code failed',
    'Open',
    stateWithCode(stateWithLinks(buildLink({ sends: buildSends('accepted') })), timeAt(-1), 'Failed'),
  ],
  [
    'the message with a link failed, and an earlier code used all its attempts',
    'Blocked',
    stateWithCode(stateWithLinks(buildLink({ sends: buildSends('failed') })), timeAt(-1), 'Blocked'),
  ],
])('if %s, the status of the transaction is %s', (_, status, state) => {
  expect(transactionStatusOf(state)).toBe(status);
});

/** The last line about a link: the line of the oldest link. */
const linkLine = (...links: Biometrics[]) =>
  operatorPanel(stateWithLinks(...links))
    .split('\n')
    .findLast((line) => line.startsWith('- biometrics'));

const decision = { status: 'Approved', by: 'reviewer-1', reason: 'because', at: timeAt(50) } as const;

test.each<[string, Biometrics[]]>([
  ['**Processing** (since 19:40:00)', [buildLink({ status: 'Processing', submittedAt: timeAt(40) })]],
  ['**Approved** (by reviewer-1 19:50:00)', [buildLink({ status: 'Approved', submittedAt: timeAt(40), decision })]],
  [
    '**Approved** (by reviewer-1 19:50:00, images erased 2026-01-02 20:00:00)',
    [buildLink({ status: 'Approved', decision, erasedAt: timeAt(1_500) })],
  ],
  ['**Canceled** (images erased 20:00:00)', [buildLink({ status: 'Canceled', erasedAt: timeAt(60) })]],
  ['**Canceled** (replaced)', [buildLink({ status: 'Canceled' }), buildLink({ id: 'b', createdAt: timeAt(5) })]],
  [
    '**Canceled** (replaced, images erased 20:00:00)',
    [
      buildLink({ status: 'Canceled', erasedAt: timeAt(60) }),
      buildLink({ id: 'b', createdAt: timeAt(5), erasedAt: timeAt(60) }),
    ],
  ],
  [
    '**Canceled** (images erased 20:00:00)',
    [buildLink({ status: 'Canceled', erasedAt: timeAt(60) }), buildLink({ id: 'b', createdAt: timeAt(65) })],
  ],
])('the panel shows a link with the line %s', (line, links) => {
  expect(linkLine(...links)).toContain(`- biometrics: ${line}, `);
});

test('after an erasure, the line of a link does not say how many images were taken, because the captures are erased too', () => {
  expect(linkLine(buildLink({ status: 'Canceled' }))).toContain('0 of 3 images');
  expect(linkLine(buildLink({ status: 'Canceled', erasedAt: timeAt(60) }))).not.toContain('of 3 images');
});

test('messages that were not sent when their link ended are marked as not sent', () => {
  const sends = buildSends('pending', 'accepted');
  expect(linkLine(buildLink({ sends }))).toContain('link by sms pending, email accepted');
  expect(linkLine(buildLink({ sends, status: 'Canceled' }))).toContain('link by sms not sent, email accepted');
});

test('an undelivered message is shown with its error, and a message that is not sent yet is shown as pending', () => {
  const state = stateWithCode(stateWithLinks(), timeAt(0), 'Waiting');
  const panelOf = (change: Partial<Send>) => {
    const confirmations = state.confirmations.map((one) => ({
      ...one,
      sends: one.sends.map((send) => ({ ...send, ...change })),
    }));
    return operatorPanel({ ...state, confirmations });
  };
  expect(panelOf({ state: 'pending' })).toContain('0 of 3 sent and 1 pending, ');
  expect(panelOf({ state: 'failed', failureReason: 'Undelivered 30005' })).toContain(
    '1 of 3 sent, not delivered: Undelivered 30005, ',
  );
  expect(panelOf({ state: 'failed' })).toContain('1 of 3 sent, not delivered, ');
  expect(
    linkLine(
      buildLink({ sends: [{ id: 'a.0', channel: 'sms', state: 'failed', failureReason: 'Undelivered 30007' }] }),
    ),
  ).toContain('link by sms failed (Undelivered 30007)');
});

const stateInStep = (step: string, awaiting?: Awaiting): TransactionState => {
  const startResult = addRun(stateWithLinks(), { ...planOf(flowWithEveryKind, 'x'), runId: 'run-1' }, timeAt(0));
  if ('error' in startResult) throw new Error(startResult.error.type);
  const run = { ...startResult.run, path: [{ step, enteredAt: timeAt(0) }], ...(awaiting ? { awaiting } : {}) };
  return { ...startResult.state, runs: [run] };
};

test.each<[string, TransactionState]>([
  ['every-kind/pause waits until 19:40:00', stateInStep('pause', { until: timeAt(40) })],
  ['every-kind/pause waits until 2026-01-03 03:00:00', stateInStep('pause', { until: timeAt(1_920) })],
  ['every-kind/code pauses between messages until 19:01:00', stateInStep('code', { until: timeAt(1) })],
  ['every-kind/judge could not decide yet, tries again at 19:01:00', stateInStep('judge', { until: timeAt(1) })],
  ['every-kind/tell notifies the caller of step-up.started, retries until 19:10:00', stateInStep('tell')],
  ['nothing is pending', stateInStep('judge')],
])('the first line of the panel of a flow run is: %s', (line, state) => {
  const [firstLine, ...lines] = operatorPanel(state).split('\n');
  expect(firstLine).toBe(`**Open**: ${line}.`);
  expect(lines.find((one) => one.startsWith('- flow'))).toMatch(
    /^- flow every-kind 3: \*\*Running\*\*, .*, run run-1$/,
  );
});

test('the first line shows what the transaction waits for, and since when; the last line is a dash', () => {
  const lines = operatorPanel(stateWithLinks(buildLink({ status: 'Processing', submittedAt: timeAt(40) }))).split('\n');
  expect(lines[0]).toBe('**InReview**: biometrics waits for a decision since 19:40:00.');
  expect(lines.at(-1)).toBe('—');
});

test('the panel counts the undelivered messages of a confirmation', () => {
  const state = stateWithCode(stateWithLinks(), timeAt(0), 'Waiting');
  const sends: Send[] = [
    { id: 'c.1', at: timeAt(0), state: 'failed', callerStatus: 'Failed', failureReason: 'Undelivered 30003' },
    { id: 'c.2', at: timeAt(2), state: 'accepted', callerStatus: 'Delivered' },
  ];
  expect(codeLine(state, { sends })).toContain('2 of 3 sent, 1 of 2 not delivered: Undelivered 30003, ');
});

const codeLine = (state: TransactionState, change: Partial<Confirmation>) =>
  operatorPanel({ ...state, confirmations: state.confirmations.map((one) => ({ ...one, ...change })) })
    .split('\n')
    .findLast((line) => line.startsWith('- sms'));

const logEntry = (status: 'Failed' | 'Delivered'): StatusLogEntry => ({
  status,
  at: timeAt(3),
  text: 'x',
  sendsLeft: 0,
});

test.each<[string, Partial<Confirmation>]>([
  ['**Waiting**, … 19:00:00 until 19:05:00', {}],
  ['**Valid**, … 19:00:00 to 19:02:00', { status: 'Valid', repliedAt: timeAt(2), outcome: 'yes' }],
  ['**Blocked** (denied), … 19:00:00 to 19:02:00', { status: 'Blocked', repliedAt: timeAt(2), outcome: 'no' }],
  ['**Expired**, … 19:00:00 to 19:05:00', { status: 'Expired' }],
  ['**Expired**, … 19:00:00 to 19:01:00', { status: 'Expired', expiresAt: timeAt(1) }],
  ['**Expired**, … 19:00:00 to 2026-01-02 19:00:00', { status: 'Expired', expiresAt: timeAt(1_440) }],
  ['**Blocked**, … from 19:00:00', { status: 'Blocked' }],
  ['**Superseded**, … from 19:00:00', { status: 'Superseded' }],
  ['**Failed**, … from 19:00:00', { status: 'Failed' }],
  ['**Failed**, … 19:00:00 to 19:03:00', { status: 'Failed', log: [logEntry('Delivered'), logEntry('Failed')] }],
])('a code has the line %s, which shows the end of the code if the end is known', (text, change) => {
  const [status = '', period = ''] = text.split(' … ');
  const line = codeLine(stateWithCode(stateWithLinks(), timeAt(0), 'Waiting'), { expiresAt: timeAt(5), ...change });
  expect(line).toContain(`- sms-token: ${status} `);
  expect(line?.endsWith(`attempts, ${period}`)).toBe(true);
});

test('the line of a second factor has the reply', () => {
  const state = stateWithCode(stateWithLinks(), timeAt(0), 'Waiting', smsSecondFactor);
  expect(codeLine(state, { status: 'Replied', repliedAt: timeAt(1), outcome: 'no' })).toBe(
    '- sms-2fa: **Replied** (no), 0 of 2 sent and 1 pending, 19:00:00 to 19:01:00',
  );
});

describe('a message that was rejected at once', () => {
  const withRejectedSend = (state: TransactionState, minutes: number, error = 'DestinationRefused 21211') => {
    const result = addSend(state, propose(smsToken, state.id, `r${minutes}`), timeAt(minutes));
    if ('error' in result) throw new Error(result.error.type);
    return revertSend(result.state, result.send.id, error, timeAt(minutes));
  };

  test('a rejected message is shown with its time and error code; callers see only the status of the transaction', () => {
    const state = withRejectedSend(buildState({}, timeAt(-1)), 3);
    const lines = operatorPanel(state).split('\n');
    const line = 'sms-token was rejected by the provider (DestinationRefused 21211) 19:03:00';
    expect(lines[0]).toBe(`**Undeliverable**: ${line}; nothing is pending.`);
    expect(lines).toContain(`- ${line}`);
    const { changedAt } = state;
    const withoutSend = toView({ ...buildState({}, timeAt(-1)), id: state.id, changedAt }, timeAt(4));
    expect(toView(state, timeAt(4))).toEqual({ ...withoutSend, status: 'Undeliverable' });
    expect(toView(state, timeAt(4)).smsToken).toBeUndefined();
  });

  test.each([
    [
      'by a limit of the service: too many messages to this phone or mailbox in 24 hours',
      'DestinationDailyLimitReached',
    ],
    [
      'by a limit of the service: the tenant has reached one of its limits of messages for the day',
      'TenantDailyLimitReached',
    ],
    ['by a limit of the service: the prefix of the phone is blocked', 'PrefixBlocked'],
    ['by the service: the phone number cannot exist in its country, or is not a number of a person', 'PhoneNotAllowed'],
    ['by the service: no provider sends this message', 'NoProvider'],
    ['by the service: the person has opted out', 'DestinationOptedOut'],
    ['by the deny list of the tenant: the phone or mailbox is denied', 'DestinationDenied'],
    ['by the deny list of the tenant: the document is denied', 'PersonDenied'],
    ['by the provider', 'DestinationOptedOut 21610'],
    ['by the provider', 'ProviderRefused 63016'],
    ['by the provider', 'ProviderRefused'],
  ])('a message is shown as rejected %s (%s)', (rejection, error) => {
    const [firstLine] = operatorPanel(withRejectedSend(buildState({}, timeAt(-1)), 3, error)).split('\n');
    expect(firstLine).toBe(
      `**Undeliverable**: sms-token was rejected ${rejection} (${error}) 19:03:00; nothing is pending.`,
    );
  });

  test('a rejected message is not in the first line if a newer message waits for the provider', () => {
    const state = stateWithCode(withRejectedSend(buildState({}, timeAt(-1)), 3), timeAt(10), 'Waiting');
    const [firstLine, ...lines] = operatorPanel(state).split('\n');
    expect(firstLine).toBe('**Open**: sms-token waits for the provider to accept the message until 19:15:00.');
    expect(lines.filter((line) => line.includes('was rejected'))).toHaveLength(1);
  });

  test('a transaction with a rejected message is not Undeliverable if another code or link is open, or a link is newer', () => {
    const withMail = withRejectedSend(stateWithCode(buildState({}, timeAt(-1)), timeAt(1), 'Waiting', emailToken), 3);
    expect(transactionStatusOf(withMail)).toBe('Open');
    const withLink = (createdAt: string, status: 'Waiting' | 'Expired') => ({
      ...withRejectedSend(buildState({}, timeAt(-1)), 3),
      biometrics: [buildLink({ createdAt, status, sends: buildSends('accepted') })],
    });
    expect(transactionStatusOf(withLink(timeAt(5), 'Expired'))).toBe('Expired');
    expect(transactionStatusOf(withLink(timeAt(1), 'Waiting'))).toBe('Open');
    expect(transactionStatusOf(withLink(timeAt(1), 'Expired'))).toBe('Undeliverable');
  });

  test('only the newest five rejected messages are kept', () => {
    const state = Array.from({ length: 8 }, (_, index) => index).reduce(
      (current, minute) => withRejectedSend(current, minute),
      buildState({}, timeAt(-1)),
    );
    expect(state.rejectedSends?.map((send) => send.at)).toEqual([3, 4, 5, 6, 7].map(timeAt));
  });
});

test('while no provider has accepted the message, the first line says how long the service tries', () => {
  const [firstLine] = operatorPanel(stateWithCode(stateWithLinks(), timeAt(0), 'Waiting')).split('\n');
  expect(firstLine).toBe('**Open**: sms-token waits for the provider to accept the message until 19:05:00.');
});

const endedRunLine = (change: Partial<FlowRun>): string | undefined => {
  const { runs = [], ...state } = stateInStep('code');
  const path = [
    { step: 'judge', enteredAt: timeAt(0), leftAt: timeAt(1), exit: 'else', reason: 'VisitsExhausted' },
    { step: 'code', enteredAt: timeAt(1), leftAt: timeAt(2), exit: 'Canceled', reason: 'EndedByOperator' },
  ];
  const endedRuns = runs.map((run) => ({ ...run, status: 'Canceled' as const, endedAt: timeAt(2), path, ...change }));
  return operatorPanel({ ...state, runs: endedRuns })
    .split('\n')
    .find((line) => line.startsWith('- flow'));
};

test('the line of a canceled flow run has its end, and the reasons of its exits', () => {
  expect(endedRunLine({})).toBe(
    '- flow every-kind 3: **Canceled**, judge 19:00:00, else (VisitsExhausted) → code 19:01:00, Canceled (EndedByOperator) 19:02:00, run run-1',
  );
  const lastVisit = { step: 'confirmed', enteredAt: timeAt(2) };
  expect(endedRunLine({ status: 'Completed', outcome: 'Confirmed', path: [lastVisit] })).toBe(
    '- flow every-kind 3: **Confirmed**, confirmed 19:02:00, run run-1',
  );
});

test('the search attributes (indexed fields of a workflow) name the newest running flow run, or else the newest flow run', () => {
  const { runs = [], ...state } = stateInStep('judge');
  const completedFields = { status: 'Completed', outcome: 'Confirmed' } as const;
  const buildRuns = (...changes: Partial<FlowRun>[]) =>
    changes.flatMap((change, index) => runs.map((run) => ({ ...run, flow: `f-${index}`, ...change })));
  const searchAttributes = (...changes: Partial<FlowRun>[]) =>
    searchAttributesOf({ ...state, runs: buildRuns(...changes) });
  expect(searchAttributes({}, completedFields)).toEqual({
    status: 'Open',
    flow: 'f-0',
    flowVersion: '3',
    flowStep: 'judge',
  });
  expect(searchAttributes({}, {}, completedFields, completedFields)).toMatchObject({ flow: 'f-1', flowStep: 'judge' });
  expect(searchAttributes(completedFields, completedFields)).toEqual({
    status: 'Open',
    flow: 'f-1',
    flowVersion: '3',
    flowOutcome: 'Confirmed',
  });
});

test('the panel shows nothing that a caller sent about the person', () => {
  const panelOf = (state: TransactionState) => operatorPanel(stateWithCode(state, timeAt(0), 'Waiting'));
  const state = buildState({}, timeAt(-1));
  const hostile = '<img src=x onerror=alert(1)> [x](http://evil.test) {{code}}';
  const input = { ...state.input, name: hostile, mothersName: hostile, genericFields: { [hostile]: hostile } };
  expect(panelOf({ ...state, input })).toEqual(panelOf(state));
});
