import { assert, constantFrom, property, array } from 'fast-check';
import { type PageAction, applyAction } from '../../../domain/biometrics/capture';
import type { BiometricsProposal } from '../../../domain/biometrics/biometrics';
import { currentLink, linksPerTransaction, createLink } from '../../../domain/biometrics/link';
import { decideOnImages, withFaceFindings } from '../../../domain/biometrics/review';
import { withAssessment } from '../../../domain/transactions/outcome';
import { defaultPolicy } from '../../../domain/scoring/policy';
import type { TransactionState } from '../../../domain/transactions/state';
import { buildState, addMs } from '../../support/build';
import { evidenceWith } from '../scoring/build-basis';

const assessedState = withAssessment(buildState(), { evidence: evidenceWith(), policy: defaultPolicy });
const dayMs = 86_400_000;
const hoursLater = (hours: number) => addMs(assessedState.createdAt, hours * 3_600_000);

const buildProposal = (biometricsId = 'a', change: Partial<BiometricsProposal> = {}): BiometricsProposal => ({
  biometricsId,
  tokenHash: `hash of ${biometricsId}`,
  expiresAfterMs: dayMs,
  language: 'pt-BR',
  channels: [],
  messages: {},
  allowedDialCodes: ['55'],
  imageDays: 90,
  ...change,
});

function addLink(state: TransactionState, proposal: BiometricsProposal, at: string): TransactionState {
  const result = createLink(state, proposal, at);
  if ('error' in result) throw new Error(result.error.type);
  return result.state;
}

const capture = { imageId: 'i', width: 1200, height: 900, sharpness: 200, brightness: 120 };
const captureActions: PageAction[] = (['documentFront', 'documentBack', 'selfie'] as const).map((kind) => ({
  action: 'capture',
  kind,
  capture,
}));
/** All actions of the page, in order. */
const allActions: PageAction[] = [{ action: 'open' }, { action: 'consent' }, ...captureActions, { action: 'submit' }];

/** `owner`: the browser that sends the actions. */
function applyActions(
  state: TransactionState,
  actions: PageAction[],
  owner = 'mine',
  at = hoursLater(1),
  id = 'a',
): TransactionState {
  return actions.reduce((current, action) => {
    const result = applyAction(current, id, action, owner, at);
    if ('error' in result) throw new Error(result.error.type);
    return result.state;
  }, state);
}

/** The error with which the link `a` rejects an action, if any. */
const rejectionOf = (state: TransactionState, action: PageAction, owner = 'mine', at = hoursLater(1)) => {
  const result = applyAction(state, 'a', action, owner, at);
  return 'error' in result ? result.error : undefined;
};

const linkState = addLink(assessedState, buildProposal(), hoursLater(0));

test('a link waits at first, is in progress after the person opens it, and is processed after the submission', () => {
  const statuses = allActions.map(
    (_, index) => currentLink(applyActions(linkState, allActions.slice(0, index + 1)))?.status,
  );
  expect(currentLink(linkState)?.status).toBe('Waiting');
  expect(statuses).toEqual([...Array.from({ length: 5 }, () => 'InProgress'), 'Processing']);
  expect(currentLink(applyActions(linkState, allActions))).toMatchObject({
    openedAt: hoursLater(1),
    consentedAt: hoursLater(1),
    submittedAt: hoursLater(1),
  });
});

test('a repeated open, consent or submit changes nothing; a capture can be repeated', () => {
  const openState = applyActions(linkState, [{ action: 'open' }, { action: 'consent' }]);
  expect(
    currentLink(applyActions(openState, [{ action: 'open' }, { action: 'consent' }], 'mine', hoursLater(2))),
  ).toEqual(currentLink(openState));
  const submittedState = applyActions(linkState, allActions);
  expect(applyActions(submittedState, [{ action: 'submit' }], 'mine', hoursLater(2))).toBe(submittedState);
  const newCapture: PageAction = { action: 'capture', kind: 'selfie', capture: { ...capture, imageId: 'better' } };
  expect(currentLink(applyActions(linkState, [...allActions.slice(0, 5), newCapture]))?.captures.selfie?.imageId).toBe(
    'better',
  );
});

test('only the browser that opened the link first can use it', () => {
  const openState = applyActions(linkState, [{ action: 'open' }]);
  for (const action of allActions) expect(rejectionOf(openState, action, 'other')?.type).toBe('LinkTaken');
  expect(rejectionOf(linkState, { action: 'consent' })?.type).toBe('LinkTaken');
});

test('a link accepts no image before consent, and no submission before all images', () => {
  const openState = applyActions(linkState, [{ action: 'open' }]);
  for (const action of captureActions) expect(rejectionOf(openState, action)?.type).toBe('ConsentMissing');
  expect(rejectionOf(openState, { action: 'submit' })?.type).toBe('ConsentMissing');
  const partialState = applyActions(linkState, allActions.slice(0, 4));
  expect(rejectionOf(partialState, { action: 'submit' })).toMatchObject({ type: 'CapturesMissing' });
});

test.each([
  ['was never opened', 'Expired', []],
  ['was only opened', 'Abandoned', allActions.slice(0, 1)],
  ['has all images but was not submitted', 'Abandoned', allActions.slice(0, 5)],
] as const)('after its lifetime, a link that %s has the status %s', (_, status, actions) => {
  const state = applyActions(linkState, [...actions]);
  expect(rejectionOf(state, { action: 'open' }, 'mine', hoursLater(23.9))).toBeUndefined();
  expect(rejectionOf(state, { action: 'open' }, 'mine', hoursLater(24))).toMatchObject({
    type: 'LinkClosed',
    details: { about: { status } },
  });
});

test('a submitted link does not expire', () => {
  expect(
    rejectionOf(applyActions(linkState, allActions), { action: 'submit' }, 'mine', hoursLater(48)),
  ).toBeUndefined();
});

describe('a new link', () => {
  it('a new link replaces an open one', () => {
    const secondLinkState = addLink(applyActions(linkState, allActions.slice(0, 3)), buildProposal('b'), hoursLater(2));
    expect(secondLinkState.biometrics?.map(({ status }) => status)).toEqual(['Canceled', 'Waiting']);
    expect(rejectionOf(secondLinkState, { action: 'consent' })).toMatchObject({ type: 'LinkClosed' });
  });

  it('a new link does not change an expired one', () => {
    const secondLinkState = addLink(linkState, buildProposal('b'), hoursLater(30));
    expect(secondLinkState.biometrics?.map(({ status }) => status)).toEqual(['Expired', 'Waiting']);
  });

  it('a new link is rejected while a review is open, and after ten links', () => {
    expect(createLink(applyActions(linkState, allActions), buildProposal('b'), hoursLater(2))).toMatchObject({
      error: { type: 'BiometricsInReview' },
    });
    let state = assessedState;
    for (let n = 0; n < linksPerTransaction; n += 1) state = addLink(state, buildProposal(String(n)), hoursLater(n));
    expect(createLink(state, buildProposal('x'), hoursLater(20))).toMatchObject({
      error: { type: 'LinkLimitReached' },
    });
  });

  it('a new link is sent to the channels that have a destination', () => {
    const allChannels = { channels: ['sms', 'email', 'whatsapp'] } as const;
    const channelsOf = (state: TransactionState) => currentLink(state)?.sends.map(({ channel }) => channel);
    expect(channelsOf(addLink(assessedState, buildProposal('a', allChannels), hoursLater(0)))).toEqual([
      'sms',
      'email',
      'whatsapp',
    ]);
    const { phone: _, ...inputWithoutPhone } = assessedState.input;
    expect(
      channelsOf(
        addLink({ ...assessedState, input: inputWithoutPhone }, buildProposal('a', allChannels), hoursLater(0)),
      ),
    ).toEqual(['email']);
    expect(
      channelsOf(
        addLink(assessedState, buildProposal('a', { ...allChannels, allowedDialCodes: ['1'] }), hoursLater(0)),
      ),
    ).toEqual(['email']);
  });

  it('the `identifierDate` of a new link comes from the request, otherwise from the transaction, otherwise from the creation time', () => {
    const dateOf = (state: TransactionState) => currentLink(state)?.identifierDate;
    expect(dateOf(linkState)).toBe(hoursLater(0));
    const datedState = { ...assessedState, input: { ...assessedState.input, identifierDate: '2026-01-01T00:00:00Z' } };
    expect(dateOf(addLink(datedState, buildProposal(), hoursLater(0)))).toBe('2026-01-01T00:00:00Z');
    expect(dateOf(addLink(datedState, buildProposal('a', { identifierDate: hoursLater(5) }), hoursLater(0)))).toBe(
      hoursLater(5),
    );
  });
});

describe('a decision', () => {
  const submittedState = applyActions(linkState, allActions);
  const makeDecision = (status: 'Approved' | 'Rejected' | 'Inconclusive') =>
    decideOnImages(submittedState, 'a', { status, by: 'reviewer-1', reason: 'same face', at: hoursLater(3) });

  it.each([
    ['Approved', 'CF004', 1],
    ['Rejected', 'CF004', -1],
    ['Inconclusive', undefined, 0],
  ] as const)('a decision with the result %s adds a score', (status, code, sign) => {
    const result = makeDecision(status);
    if ('error' in result) throw new Error(result.error.type);
    expect(result.biometrics).toMatchObject({ status, decision: { by: 'reviewer-1' } });
    const [before, after] = result.state.scores.slice(-2);
    expect(after).toMatchObject({ reason: 'BiometricsChecked', createdAt: hoursLater(3) });
    expect(Math.sign((after?.value ?? 0) - (before?.value ?? 0))).toBe(sign);
    expect(result.state.findings.some((finding) => finding.code === 'CF004')).toBe(code !== undefined);
  });

  it('if a decision comes before the first assessment, this assessment also adds the score of the decision', () => {
    const unassessedState = applyActions(addLink(buildState(), buildProposal(), assessedState.createdAt), allActions);
    const result = decideOnImages(unassessedState, 'a', {
      status: 'Approved',
      by: 'reviewer-1',
      reason: 'same face',
      at: hoursLater(3),
    });
    if ('error' in result) throw new Error(result.error.type);
    const laterAssessedState = withAssessment(result.state, { evidence: evidenceWith(), policy: defaultPolicy });
    const laterResult = makeDecision('Approved');
    if ('error' in laterResult) throw new Error(laterResult.error.type);
    expect(laterAssessedState.scores).toEqual(laterResult.state.scores);
    expect(laterAssessedState.facts).toEqual({ biometrics: { status: 'Approved', at: hoursLater(3) } });
  });

  it('a decision is made once, and only on submitted images', () => {
    const firstResult = makeDecision('Approved');
    if ('error' in firstResult) throw new Error(firstResult.error.type);
    const decision = { status: 'Rejected', by: 'x', reason: '', at: hoursLater(4) } as const;
    expect(decideOnImages(firstResult.state, 'a', decision)).toMatchObject({ error: { type: 'NotInReview' } });
    expect(decideOnImages(linkState, 'a', decision)).toMatchObject({ error: { type: 'NotInReview' } });
    expect(decideOnImages(submittedState, 'b', decision)).toMatchObject({ error: { type: 'NotInReview' } });
  });

  it('if a decision comes before the findings of the face verifier, these findings change nothing', () => {
    const faces = { similarity: 0.9, notes: [] };
    expect(currentLink(withFaceFindings(submittedState, 'a', faces, hoursLater(3)))).toMatchObject({
      faces,
      verifiedAt: hoursLater(3),
    });
    expect(currentLink(withFaceFindings(submittedState, 'a', null, hoursLater(3)))).toMatchObject({
      verifiedAt: hoursLater(3),
    });
    const result = makeDecision('Rejected');
    if ('error' in result) throw new Error(result.error.type);
    expect(withFaceFindings(result.state, 'a', faces, hoursLater(3))).toBe(result.state);
  });
});

test('for any actions of two browsers, only the browser that owns the link adds images, and a submitted link does not change', () => {
  const anyActions = array(
    constantFrom<[string, PageAction]>(
      ...allActions.flatMap((action): [string, PageAction][] => [
        ['mine', action],
        ['other', action],
      ]),
    ),
    { maxLength: 20 },
  );
  assert(
    property(anyActions, (browserActions) => {
      let state = linkState;
      let owner: string | undefined;
      for (const [browser, action] of browserActions) {
        const before = currentLink(state);
        const result = applyAction(state, 'a', action, browser, hoursLater(1));
        if ('error' in result) continue;
        owner ??= browser;
        expect(browser).toBe(owner);
        if (before?.status === 'Processing') expect(result.state).toBe(state);
        state = result.state;
      }
    }),
  );
});
