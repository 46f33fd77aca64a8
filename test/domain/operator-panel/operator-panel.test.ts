import type { Biometrics, LinkSend } from '../../../domain/biometrics/biometrics';
import type { ConfirmationSettings } from '../../../domain/confirmation-settings';
import type { Confirmation, StatusLogEntry, Send } from '../../../domain/confirmation';
import type { Awaiting, FlowRun } from '../../../domain/flows/run';
import { startRun } from '../../../domain/flows/start-run';
import { attributesOf, operatorPanel, statusOf } from '../../../domain/operator-panel/operator-panel';
import { requestConfirmation } from '../../../domain/request-confirmation';
import type { TransactionState } from '../../../domain/state';
import { smsSecondFactor, smsToken } from '../../../flows/confirmations';
import { flowWithEveryKind } from '../../support/every-kind.flow';
import { planOf } from '../../support/flow-plan';
import { toView } from '../../../domain/views';
import { revertSend } from '../../../domain/revert-send';
import { buildState, addMs, propose } from '../../support/build';

const at = (minutes: number) => addMs('2026-01-01T19:00:00.000Z', minutes * 60_000);

const link = (change: Partial<Biometrics> = {}): Biometrics => ({
  id: 'a',
  tokenHash: 'hash of a',
  status: 'Waiting',
  createdAt: at(0),
  expiresAt: at(1_440),
  identifierDate: at(0),
  language: 'en',
  sends: [],
  captures: {},
  taken: 0,
  imageDays: 90,
  ...change,
});

const sent = (...states: LinkSend['state'][]): LinkSend[] =>
  states.map((state, index) => ({ id: `a.${index}`, channel: index === 0 ? 'sms' : 'email', state }));

const withLinks = (...biometrics: Biometrics[]): TransactionState => ({ ...buildState({}, at(-1)), biometrics });

function requestedState(
  state: TransactionState,
  now: string,
  status: 'Waiting' | 'Failed' | 'Blocked',
  settings: ConfirmationSettings = smsToken,
): TransactionState {
  const requested = requestConfirmation(state, propose(settings, state.id), now);
  if ('error' in requested) throw new Error(requested.error.type);
  const { confirmations } = requested.state;
  return { ...requested.state, confirmations: confirmations.map((one) => ({ ...one, status })) };
}

test.each<[string, TransactionState, string]>([
  ['all messages with a link failed', withLinks(link({ sends: sent('failed', 'failed') })), 'Undeliverable'],
  ['one of them did not', withLinks(link({ sends: sent('failed', 'accepted') })), 'Open'],
  ['one is still tried', withLinks(link({ sends: sent('failed', 'pending') })), 'Open'],
  ['the caller sends the link', withLinks(link()), 'Open'],
  ['it was opened all the same', withLinks(link({ sends: sent('failed'), openedAt: at(1) })), 'Open'],
  [
    'a link that the caller sends came after it',
    withLinks(link({ sends: sent('failed'), status: 'Canceled' }), link({ id: 'b', createdAt: at(2) })),
    'Undeliverable',
  ],
  ['a code was sent after it', requestedState(withLinks(link({ sends: sent('failed') })), at(2), 'Waiting'), 'Open'],
  [
    'a code after it failed as well',
    requestedState(withLinks(link({ sends: sent('failed') })), at(2), 'Failed'),
    'Undeliverable',
  ],
  ['a code before it failed', requestedState(withLinks(link({ sends: sent('accepted') })), at(-1), 'Failed'), 'Open'],
  [
    'a code before it took all its values',
    requestedState(withLinks(link({ sends: sent('failed') })), at(-1), 'Blocked'),
    'Blocked',
  ],
])('when %s', (_, state, status) => {
  expect(statusOf(state)).toBe(status);
});

const lineOf = (...links: Biometrics[]) =>
  operatorPanel(withLinks(...links))
    .split('\n')
    .findLast((line) => line.startsWith('- biometrics'));

const decision = { status: 'Approved', by: 'reviewer-1', reason: 'because', at: at(50) } as const;

test.each<[string, Biometrics[]]>([
  ['**Processing** (since 19:40:00)', [link({ status: 'Processing', submittedAt: at(40) })]],
  ['**Approved** (by reviewer-1 19:50:00)', [link({ status: 'Approved', submittedAt: at(40), decision })]],
  [
    '**Approved** (by reviewer-1 19:50:00, images erased 2026-01-02 20:00:00)',
    [link({ status: 'Approved', decision, erasedAt: at(1_500) })],
  ],
  ['**Canceled** (images erased 20:00:00)', [link({ status: 'Canceled', erasedAt: at(60) })]],
  ['**Canceled** (replaced)', [link({ status: 'Canceled' }), link({ id: 'b', createdAt: at(5) })]],
  [
    '**Canceled** (replaced, images erased 20:00:00)',
    [link({ status: 'Canceled', erasedAt: at(60) }), link({ id: 'b', createdAt: at(5), erasedAt: at(60) })],
  ],
  [
    '**Canceled** (images erased 20:00:00)',
    [link({ status: 'Canceled', erasedAt: at(60) }), link({ id: 'b', createdAt: at(65) })],
  ],
])('a link has the line %s', (line, links) => {
  expect(lineOf(...links)).toContain(`- biometrics: ${line}, 0 of 3 images`);
});

test('messages that were not sent when a link was closed are marked', () => {
  const sends = sent('pending', 'accepted');
  expect(lineOf(link({ sends }))).toContain('link by sms pending, email accepted');
  expect(lineOf(link({ sends, status: 'Canceled' }))).toContain('link by sms not sent, email accepted');
});

test('an undelivered message has its error, and an open one is marked as not sent yet', () => {
  const requested = requestedState(withLinks(), at(0), 'Waiting');
  const panelOf = (change: Partial<Send>) => {
    const confirmations = requested.confirmations.map((one) => ({
      ...one,
      sends: one.sends.map((send) => ({ ...send, ...change })),
    }));
    return operatorPanel({ ...requested, confirmations });
  };
  expect(panelOf({ state: 'pending' })).toContain('0 of 3 sent and 1 pending, ');
  expect(panelOf({ state: 'failed', failureReason: 'Undelivered 30005' })).toContain(
    '1 of 3 sent, not delivered: Undelivered 30005, ',
  );
  expect(panelOf({ state: 'failed' })).toContain('1 of 3 sent, not delivered, ');
  expect(
    lineOf(link({ sends: [{ id: 'a.0', channel: 'sms', state: 'failed', failureReason: 'Undelivered 30007' }] })),
  ).toContain('link by sms failed (Undelivered 30007)');
});

const inStep = (step: string, awaiting?: Awaiting): TransactionState => {
  const started = startRun(withLinks(), { ...planOf(flowWithEveryKind, 'x'), runId: 'run-1' }, at(0));
  if ('error' in started) throw new Error(started.error.type);
  const run = { ...started.run, path: [{ step, enteredAt: at(0) }], ...(awaiting ? { awaiting } : {}) };
  return { ...started.state, runs: [run] };
};

test.each<[string, TransactionState]>([
  ['every-kind/pause waits until 19:40:00', inStep('pause', { until: at(40) })],
  ['every-kind/pause waits until 2026-01-03 03:00:00', inStep('pause', { until: at(1_920) })],
  ['every-kind/code pauses between messages until 19:01:00', inStep('code', { until: at(1) })],
  ['every-kind/tell notifies the caller of step-up.started, retries until 19:10:00', inStep('tell')],
  ['nothing is pending', inStep('judge')],
])('the first line of a run is: %s', (line, state) => {
  const [first, ...lines] = operatorPanel(state).split('\n');
  expect(first).toBe(`**Open**: ${line}.`);
  expect(lines.find((one) => one.startsWith('- flow'))).toMatch(
    /^- flow every-kind 3: \*\*Running\*\*, .*, run run-1$/,
  );
});

test('what a run waits for comes first, with the time since when for a decision; the last line adds nothing', () => {
  const lines = operatorPanel(withLinks(link({ status: 'Processing', submittedAt: at(40) }))).split('\n');
  expect(lines[0]).toBe('**InReview**: biometrics waits for a decision since 19:40:00.');
  expect(lines.at(-1)).toBe('—');
});

test('undelivered messages of one confirmation are counted', () => {
  const requested = requestedState(withLinks(), at(0), 'Waiting');
  const sends: Send[] = [
    { id: 'c.1', at: at(0), state: 'failed', deliveryStatus: 'Failed', failureReason: 'Undelivered 30003' },
    { id: 'c.2', at: at(2), state: 'accepted', deliveryStatus: 'Delivered' },
  ];
  expect(lineOfCode(requested, { sends })).toContain('2 of 3 sent, 1 of 2 not delivered: Undelivered 30003, ');
});

const lineOfCode = (state: TransactionState, change: Partial<Confirmation>) =>
  operatorPanel({ ...state, confirmations: state.confirmations.map((one) => ({ ...one, ...change })) })
    .split('\n')
    .findLast((line) => line.startsWith('- sms'));

const entry = (status: 'Failed' | 'Delivered'): StatusLogEntry => ({ status, at: at(3), text: 'x', sendsLeft: 0 });

test.each<[string, Partial<Confirmation>]>([
  ['**Waiting**, … 19:00:00 until 19:05:00', {}],
  ['**Valid**, … 19:00:00 to 19:02:00', { status: 'Valid', repliedAt: at(2), outcome: 'yes' }],
  ['**Blocked** (denied), … 19:00:00 to 19:02:00', { status: 'Blocked', repliedAt: at(2), outcome: 'no' }],
  ['**Expired**, … 19:00:00 to 19:05:00', { status: 'Expired' }],
  ['**Expired**, … 19:00:00 to 19:01:00', { status: 'Expired', expiresAt: at(1) }],
  ['**Expired**, … 19:00:00 to 2026-01-02 19:00:00', { status: 'Expired', expiresAt: at(1_440) }],
  ['**Blocked**, … from 19:00:00', { status: 'Blocked' }],
  ['**Superseded**, … from 19:00:00', { status: 'Superseded' }],
  ['**Failed**, … from 19:00:00', { status: 'Failed' }],
  ['**Failed**, … 19:00:00 to 19:03:00', { status: 'Failed', log: [entry('Delivered'), entry('Failed')] }],
])('a code has the line %s, with its end if that is known', (words, change) => {
  const [status = '', span = ''] = words.split(' … ');
  const line = lineOfCode(requestedState(withLinks(), at(0), 'Waiting'), { expiresAt: at(5), ...change });
  expect(line).toContain(`- sms-token: ${status} `);
  expect(line?.endsWith(`attempts, ${span}`)).toBe(true);
});

test('a second factor has its reply', () => {
  const state = requestedState(withLinks(), at(0), 'Waiting', smsSecondFactor);
  expect(lineOfCode(state, { status: 'Replied', repliedAt: at(1), outcome: 'no' })).toBe(
    '- sms-2fa: **Replied** (no), 0 of 2 sent and 1 pending, 19:00:00 to 19:01:00',
  );
});

describe('a message that the provider rejected at once', () => {
  const withRejectedSend = (state: TransactionState, minutes: number, error = 'DestinationRefused 21211') => {
    const requested = requestConfirmation(state, propose(smsToken, state.id, `r${minutes}`), at(minutes));
    if ('error' in requested) throw new Error(requested.error.type);
    return revertSend(requested.state, requested.send.id, error, at(minutes));
  };

  test('has the error code of the provider and its time, which callers cannot see', () => {
    const state = withRejectedSend(buildState({}, at(-1)), 3);
    const lines = operatorPanel(state).split('\n');
    const line = 'sms-token was rejected by the provider (DestinationRefused 21211) 19:03:00';
    expect(lines[0]).toBe(`**Open**: ${line}; nothing is pending.`);
    expect(lines).toContain(`- ${line}`);
    expect(toView(state, at(4))).toEqual(toView({ ...buildState({}, at(-1)), id: state.id }, at(4)));
    expect(toView(state, at(4)).smsToken).toBeUndefined();
  });

  test('is not shown as rejected by the provider when our own limit rejected it', () => {
    const [first] = operatorPanel(withRejectedSend(buildState({}, at(-1)), 3, 'DestinationDailyLimitReached')).split(
      '\n',
    );
    expect(first).toBe('**Open**: sms-token was rejected (DestinationDailyLimitReached) 19:03:00; nothing is pending.');
  });

  test('is not in the first line once a later message was sent', () => {
    const state = requestedState(withRejectedSend(buildState({}, at(-1)), 3), at(10), 'Waiting');
    const [first, ...lines] = operatorPanel(state).split('\n');
    expect(first).toBe('**Open**: sms-token waits for the provider to accept the message until 19:15:00.');
    expect(lines.filter((line) => line.includes('was rejected'))).toHaveLength(1);
  });

  test('is one of at most five, the newest', () => {
    const state = Array.from({ length: 8 }, (_, index) => index).reduce(
      (current, minute) => withRejectedSend(current, minute),
      buildState({}, at(-1)),
    );
    expect(state.rejectedSends?.map((send) => send.at)).toEqual([3, 4, 5, 6, 7].map(at));
  });
});

test('a message that no provider has accepted yet has the time of its last attempt', () => {
  const [first] = operatorPanel(requestedState(withLinks(), at(0), 'Waiting')).split('\n');
  expect(first).toBe('**Open**: sms-token waits for the provider to accept the message until 19:05:00.');
});

const ended = (change: Partial<FlowRun>): string | undefined => {
  const { runs = [], ...state } = inStep('code');
  const path = [
    { step: 'judge', enteredAt: at(0), leftAt: at(1), exit: 'else', reason: 'VisitsExhausted' },
    { step: 'code', enteredAt: at(1), leftAt: at(2), exit: 'Canceled', reason: 'EndedByOperator' },
  ];
  const over = runs.map((run) => ({ ...run, status: 'Canceled' as const, endedAt: at(2), path, ...change }));
  return operatorPanel({ ...state, runs: over })
    .split('\n')
    .find((line) => line.startsWith('- flow'));
};

test('a canceled run has its end, and the reasons of its exits', () => {
  expect(ended({})).toBe(
    '- flow every-kind 3: **Canceled**, judge 19:00:00, else (VisitsExhausted) → code 19:01:00, Canceled (EndedByOperator) 19:02:00, run run-1',
  );
  const done = { step: 'confirmed', enteredAt: at(2) };
  expect(ended({ status: 'Completed', outcome: 'Confirmed', path: [done] })).toBe(
    '- flow every-kind 3: **Confirmed**, confirmed 19:02:00, run run-1',
  );
});

test('operators search by the newest running run, or else by the newest run', () => {
  const { runs = [], ...state } = inStep('judge');
  const over = { status: 'Completed', outcome: 'Confirmed' } as const;
  const found = (...changes: Partial<FlowRun>[]) =>
    changes.flatMap((change, index) => runs.map((run) => ({ ...run, flow: `f-${index}`, ...change })));
  const searched = (...changes: Partial<FlowRun>[]) => attributesOf({ ...state, runs: found(...changes) });
  expect(searched({}, over)).toEqual({ status: 'Open', flow: 'f-0', flowVersion: '3', flowStep: 'judge' });
  expect(searched({}, {}, over, over)).toMatchObject({ flow: 'f-1', flowStep: 'judge' });
  expect(searched(over, over)).toEqual({ status: 'Open', flow: 'f-1', flowVersion: '3', flowOutcome: 'Confirmed' });
});
