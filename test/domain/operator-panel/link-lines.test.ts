import type { Biometrics } from '../../../domain/biometrics/biometrics';
import { linkWaitText, linkLines } from '../../../domain/operator-panel/link-lines';
import type { FlowRun } from '../../../domain/flows/run';
import type { TransactionState } from '../../../domain/state';
import { buildState, addMs } from '../../support/build';
import { flowWithEveryKind } from '../../support/every-kind.flow';
import { planOf } from '../../support/flow-plan';

const at = (minutes: number) => addMs('2026-01-01T19:00:00.000Z', minutes * 60_000);
const minutesOf = (instant: string) => `+${(Date.parse(instant) - Date.parse(at(0))) / 60_000}`;

const link = (change: Partial<Biometrics> = {}): Biometrics => ({
  id: 'a',
  origin: 'every-kind/pictures',
  tokenHash: 'hash of a',
  status: 'Waiting',
  createdAt: at(10),
  expiresAt: at(70),
  identifierDate: at(0),
  language: 'en',
  sends: [],
  captures: {},
  taken: 0,
  imageDays: 90,
  ...change,
});

/** A run that requested a link ten minutes after its start, and waits for it. */
const waiting: FlowRun = {
  id: 'r',
  flow: 'every-kind',
  version: 3,
  status: 'Running',
  startedAt: at(0),
  path: [
    { step: 'tell', enteredAt: at(0), leftAt: at(10), exit: 'Delivered' },
    { step: 'pictures', enteredAt: at(10) },
  ],
  awaiting: { biometricsId: 'a' },
  plan: planOf(flowWithEveryKind, 'x'),
};

/** The same run after it left the step. */
function left(exit: string, minutes: number, change: Partial<FlowRun> = {}): FlowRun {
  const { awaiting: _awaiting, plan: _plan, ...run } = waiting;
  const [before, visit] = run.path;
  const path = [before, visit && { ...visit, leftAt: at(minutes), exit }].filter((one) => one !== undefined);
  return { ...run, status: 'Completed', outcome: 'Unclear', endedAt: at(minutes), path, ...change };
}

const canceled = (minutes: number) => left('Canceled', minutes, { status: 'Canceled' });
const wentOn: Partial<FlowRun> = { status: 'Running', plan: planOf(flowWithEveryKind, 'x') };
const { endedAt: _endedAt, outcome: _outcome, ...goesOn } = left('Undecided', 1_460, wentOn);

const stateOf = (run: FlowRun | undefined, links: readonly Biometrics[]): TransactionState => ({
  ...buildState({}, at(0)),
  biometrics: [...links],
  ...(run ? { runs: [run] } : {}),
});

const inReview = link({ status: 'Processing', submittedAt: at(20) });
const apart = link({ status: 'Processing', submittedAt: at(20) });
delete apart.origin;

test.each<[string | undefined, FlowRun | undefined, Biometrics]>([
  ['every-kind/pictures waits for the person until +70', waiting, link()],
  ['every-kind/pictures waits for a decision since +20 until +1460', waiting, inReview],
  [
    'the images of every-kind/pictures wait for a reviewer since +20, but their run has ended',
    left('Undecided', 1_460),
    inReview,
  ],
  ['the images of every-kind/pictures wait for a reviewer since +20, but their run has continued', goesOn, inReview],
  ['the images of every-kind/pictures wait for a reviewer since +20, but their run has ended', canceled(30), inReview],
  ['biometrics waits for a decision since +20', left('Undecided', 1_460), apart],
  [undefined, waiting, link({ status: 'Expired' })],
])('the first line is: %s', (line, run, requestedLinks) => {
  expect(linkWaitText(stateOf(run, [requestedLinks]), minutesOf)).toBe(line);
});

const decided = (minutes: number) =>
  link({
    status: 'Approved',
    submittedAt: at(20),
    decision: { status: 'Approved', by: 'reviewer-1', reason: 'because', at: at(minutes) },
  });
const erased = (minutes: number, change: Partial<Biometrics> = {}) =>
  link({ status: 'Canceled', erasedAt: at(minutes), ...change });

test.each<[string, FlowRun | undefined, Biometrics[]]>([
  ['**Waiting**, +10 until +70', waiting, [link()]],
  ['**Processing** (since +20 until +1460), from +10', waiting, [inReview]],
  ['**Processing** (since +20, its run ended +1460), from +10', left('Undecided', 1_460), [inReview]],
  ['**Processing** (since +20, its run continued +1460), from +10', goesOn, [inReview]],
  ['**Approved** (by reviewer-1 +50), +10 to +50', left('Approved', 50), [decided(50)]],
  [
    '**Approved** (by reviewer-1 +1500, after its run ended +1460), +10 to +1500',
    left('Undecided', 1_460),
    [decided(1_500)],
  ],
  ['**Approved** (by reviewer-1 +1500, after its run continued +1460), +10 to +1500', goesOn, [decided(1_500)]],
  ['**Expired**, +10 to +70', left('Expired', 70), [link({ status: 'Expired' })]],
  ['**Abandoned**, +10 to +70', left('Abandoned', 70), [link({ status: 'Abandoned' })]],
  ['**Canceled** (with its run), +10 to +30', canceled(30), [link({ status: 'Canceled' })]],
  [
    '**Canceled** (with its run), +10 to +30',
    canceled(30),
    [link({ status: 'Canceled' }), link({ id: 'b', createdAt: at(90) })],
  ],
  ['**Canceled** (with its run, images erased +40), +10 to +30', canceled(30), [erased(40)]],
  ['**Canceled** (images erased +30), +10 to +30', left('Canceled', 30), [erased(30)]],
  ['**Canceled** (images erased +40), +10 to +40', canceled(30), [erased(40, { submittedAt: at(20) })]],
  [
    '**Canceled** (replaced), +10 to +15',
    undefined,
    [link({ status: 'Canceled' }), link({ id: 'b', createdAt: at(15) })],
  ],
  ['**Canceled**, from +10', undefined, [link({ status: 'Canceled' })]],
])('a link has the line %s', (words, run, links) => {
  const line = linkLines(stateOf(run, links), minutesOf).at(-1);
  expect(line?.replace(', 0 of 3 images', '')).toBe(`- every-kind/pictures: ${words}`);
});

test('the newest link comes first', () => {
  const lines = linkLines(stateOf(undefined, [link({ status: 'Expired' }), link({ createdAt: at(80) })]), minutesOf);
  expect(lines.map((line) => line.slice(23, 34))).toEqual(['**Waiting**', '**Expired**']);
});
