import { assert, constantFrom, property, array } from 'fast-check';
import type { Biometrics } from '../../../domain/biometrics/biometrics';
import { type PageAction, applyPageAction } from '../../../domain/biometrics/capture';
import type { BiometricsProposal } from '../../../domain/biometrics/link-proposal';
import { currentLink, linksPerTransaction, createLink } from '../../../domain/biometrics/link';
import { decideOnImages, withFaceFindings } from '../../../domain/biometrics/review';
import { withAssessment } from '../../../domain/outcome';
import { defaultPolicy } from '../../../domain/scoring/default-policy';
import type { TransactionState } from '../../../domain/state';
import { buildState, addMs } from '../../support/build';
import { evidenceWith } from '../scoring/build-basis';

const start = withAssessment(buildState(), { evidence: evidenceWith(), policy: defaultPolicy });
const dayMs = 86_400_000;
const hour = (hours: number) => addMs(start.createdAt, hours * 3_600_000);

const proposal = (biometricsId = 'a', change: Partial<BiometricsProposal> = {}): BiometricsProposal => ({
  biometricsId,
  tokenHash: `hash of ${biometricsId}`,
  expiresAfterMs: dayMs,
  language: 'pt-BR',
  channels: [],
  messages: {},
  allowedCountries: ['55'],
  imageDays: 90,
  ...change,
});

function withLink(state: TransactionState, linkState: BiometricsProposal, at: string): TransactionState {
  const started = createLink(state, linkState, at);
  if ('error' in started) throw new Error(started.error.type);
  return started.state;
}

const capture = { imageId: 'i', width: 1200, height: 900, sharpness: 200, brightness: 120 };
const captures: PageAction[] = (['documentFront', 'documentBack', 'selfie'] as const).map((kind) => ({
  step: 'capture',
  kind,
  capture,
}));
const allSteps: PageAction[] = [{ step: 'open' }, { step: 'consent' }, ...captures, { step: 'submit' }];

function withSteps(
  state: TransactionState,
  steps: PageAction[],
  owner = 'mine',
  at = hour(1),
  id = 'a',
): TransactionState {
  return steps.reduce((current, step) => {
    const next = applyPageAction(current, id, step, owner, at);
    if ('error' in next) throw new Error(next.error.type);
    return next.state;
  }, state);
}

const rejectionOf = (state: TransactionState, step: PageAction, owner = 'mine', at = hour(1)) => {
  const next = applyPageAction(state, 'a', step, owner, at);
  return 'error' in next ? next.error : undefined;
};

const linkState = withLink(start, proposal(), hour(0));

test('a link goes from waiting to open, captured and submitted', () => {
  const statuses = allSteps.map((_, index) => currentLink(withSteps(linkState, allSteps.slice(0, index + 1)))?.status);
  expect(currentLink(linkState)?.status).toBe('Waiting');
  expect(statuses).toEqual([...Array.from({ length: 5 }, () => 'InProgress'), 'Processing']);
  expect(currentLink(withSteps(linkState, allSteps))).toMatchObject({
    openedAt: hour(1),
    consentedAt: hour(1),
    submittedAt: hour(1),
  });
});

test('a repeated open, consent or submit changes nothing; a capture can be repeated', () => {
  const openState = withSteps(linkState, [{ step: 'open' }, { step: 'consent' }]);
  expect(currentLink(withSteps(openState, [{ step: 'open' }, { step: 'consent' }], 'mine', hour(2)))).toEqual(
    currentLink(openState),
  );
  const done = withSteps(linkState, allSteps);
  expect(withSteps(done, [{ step: 'submit' }], 'mine', hour(2))).toBe(done);
  const again: PageAction = { step: 'capture', kind: 'selfie', capture: { ...capture, imageId: 'better' } };
  expect(currentLink(withSteps(linkState, [...allSteps.slice(0, 5), again]))?.captures.selfie?.imageId).toBe('better');
});

test('only the first browser can use the link', () => {
  const openState = withSteps(linkState, [{ step: 'open' }]);
  for (const step of allSteps) expect(rejectionOf(openState, step, 'other')?.type).toBe('LinkTaken');
  expect(rejectionOf(linkState, { step: 'consent' })?.type).toBe('LinkTaken');
});

test('accepts no image before consent, and no submission before all images', () => {
  const openState = withSteps(linkState, [{ step: 'open' }]);
  for (const step of captures) expect(rejectionOf(openState, step)?.type).toBe('ConsentMissing');
  expect(rejectionOf(openState, { step: 'submit' })?.type).toBe('ConsentMissing');
  const some = withSteps(linkState, allSteps.slice(0, 4));
  expect(rejectionOf(some, { step: 'submit' })).toMatchObject({ type: 'CapturesMissing' });
});

test.each([
  ['never opened', [], 'Expired'],
  ['opened', allSteps.slice(0, 1), 'Abandoned'],
  ['not submitted', allSteps.slice(0, 5), 'Abandoned'],
] as const)('a link that was %s in time expires', (_, steps, status) => {
  const state = withSteps(linkState, [...steps]);
  expect(rejectionOf(state, { step: 'open' }, 'mine', hour(23.9))).toBeUndefined();
  expect(rejectionOf(state, { step: 'open' }, 'mine', hour(24))).toMatchObject({
    type: 'LinkClosed',
    details: { answer: { status } },
  });
});

test('a submitted link does not expire', () => {
  expect(rejectionOf(withSteps(linkState, allSteps), { step: 'submit' }, 'mine', hour(48))).toBeUndefined();
});

describe('a new link', () => {
  it('replaces an open one', () => {
    const second = withLink(withSteps(linkState, allSteps.slice(0, 3)), proposal('b'), hour(2));
    expect(second.biometrics?.map(({ status }) => status)).toEqual(['Canceled', 'Waiting']);
    expect(rejectionOf(second, { step: 'consent' })).toMatchObject({ type: 'LinkClosed' });
  });

  it('does not change an expired one', () => {
    const second = withLink(linkState, proposal('b'), hour(30));
    expect(second.biometrics?.map(({ status }) => status)).toEqual(['Expired', 'Waiting']);
  });

  it('is rejected while a review is open, and after ten links', () => {
    expect(createLink(withSteps(linkState, allSteps), proposal('b'), hour(2))).toMatchObject({
      error: { type: 'BiometricsInReview' },
    });
    let state = start;
    for (let n = 0; n < linksPerTransaction; n += 1) state = withLink(state, proposal(String(n)), hour(n));
    expect(createLink(state, proposal('x'), hour(20))).toMatchObject({ error: { type: 'LinkLimitReached' } });
  });

  it('is sent to the channels that have a destination', () => {
    const all = { channels: ['sms', 'email', 'whatsapp'] } as const;
    const channelsOf = (state: TransactionState) => currentLink(state)?.sends.map(({ channel }) => channel);
    expect(channelsOf(withLink(start, proposal('a', all), hour(0)))).toEqual(['sms', 'email', 'whatsapp']);
    const { phone: _, ...phoneless } = start.input;
    expect(channelsOf(withLink({ ...start, input: phoneless }, proposal('a', all), hour(0)))).toEqual(['email']);
    expect(channelsOf(withLink(start, proposal('a', { ...all, allowedCountries: ['1'] }), hour(0)))).toEqual(['email']);
  });

  it('has the date of its caller, else that of the transaction, else its own', () => {
    const dateOf = (state: TransactionState) => currentLink(state)?.identifierDate;
    expect(dateOf(linkState)).toBe(hour(0));
    const dated = { ...start, input: { ...start.input, identifierDate: '2026-01-01T00:00:00Z' } };
    expect(dateOf(withLink(dated, proposal(), hour(0)))).toBe('2026-01-01T00:00:00Z');
    expect(dateOf(withLink(dated, proposal('a', { identifierDate: hour(5) }), hour(0)))).toBe(hour(5));
  });
});

describe('a decision', () => {
  const submitted = withSteps(linkState, allSteps);
  const decided = (status: 'Approved' | 'Rejected' | 'Inconclusive') =>
    decideOnImages(submitted, 'a', { status, by: 'reviewer-1', reason: 'same face', at: hour(3) });

  it.each([
    ['Approved', 'CF004', 1],
    ['Rejected', 'CF004', -1],
    ['Inconclusive', undefined, 0],
  ] as const)('of %s adds a score', (status, code, sign) => {
    const decision = decided(status);
    if ('error' in decision) throw new Error(decision.error.type);
    expect(decision.biometrics).toMatchObject({ status, decision: { by: 'reviewer-1' } });
    const [before, after] = decision.state.scores.slice(-2);
    expect(after).toMatchObject({ reason: 'BiometricsChecked', createdAt: hour(3) });
    expect(Math.sign((after?.value ?? 0) - (before?.value ?? 0))).toBe(sign);
    expect(decision.state.insights.some((finding) => finding.code === 'CF004')).toBe(code !== undefined);
  });

  it('before the first assessment adds its score with the assessment', () => {
    const unassessed = withSteps(withLink(buildState(), proposal(), start.createdAt), allSteps);
    const made = decideOnImages(unassessed, 'a', {
      status: 'Approved',
      by: 'reviewer-1',
      reason: 'same face',
      at: hour(3),
    });
    if ('error' in made) throw new Error(made.error.type);
    const assessed = withAssessment(made.state, { evidence: evidenceWith(), policy: defaultPolicy });
    const later = decided('Approved');
    if ('error' in later) throw new Error(later.error.type);
    expect(assessed.scores).toEqual(later.state.scores);
    expect(assessed.facts).toEqual({ biometrics: { status: 'Approved', at: hour(3) } });
  });

  it('is made once, and only on submitted images', () => {
    const made = decided('Approved');
    if ('error' in made) throw new Error(made.error.type);
    const decision = { status: 'Rejected', by: 'x', reason: '', at: hour(4) } as const;
    expect(decideOnImages(made.state, 'a', decision)).toMatchObject({ error: { type: 'NotInReview' } });
    expect(decideOnImages(linkState, 'a', decision)).toMatchObject({ error: { type: 'NotInReview' } });
    expect(decideOnImages(submitted, 'b', decision)).toMatchObject({ error: { type: 'NotInReview' } });
  });

  it('may come before or after the result of the face verifier, which does not change it', () => {
    const faces = { similarity: 0.9, notes: [] };
    expect(currentLink(withFaceFindings(submitted, 'a', faces, hour(3)))).toMatchObject({ faces, verifiedAt: hour(3) });
    expect(currentLink(withFaceFindings(submitted, 'a', null, hour(3)))).toMatchObject({ verifiedAt: hour(3) });
    const decision = decided('Rejected');
    if ('error' in decision) throw new Error(decision.error.type);
    expect(withFaceFindings(decision.state, 'a', faces, hour(3))).toBe(decision.state);
  });
});

test('for any steps of two browsers, only the owner adds images, and a closed link stays closed', () => {
  const steps = array(
    constantFrom<[string, PageAction]>(
      ...allSteps.flatMap((step): [string, PageAction][] => [
        ['mine', step],
        ['other', step],
      ]),
    ),
    { maxLength: 20 },
  );
  const closed: readonly Biometrics['status'][] = ['Processing'];
  assert(
    property(steps, (attempted) => {
      let state = linkState;
      let owner: string | undefined;
      for (const [browser, step] of attempted) {
        const before = currentLink(state);
        const next = applyPageAction(state, 'a', step, browser, hour(1));
        if ('error' in next) continue;
        owner ??= browser;
        expect(browser).toBe(owner);
        if (before && closed.includes(before.status)) expect(next.state).toBe(state);
        state = next.state;
      }
    }),
  );
});
