import type { Biometrics } from '../../../domain/biometrics/biometrics';
import { linkWaitText, linkLines } from '../../../domain/operator-panel/run-lines';
import type { FlowRun } from '../../../domain/flows/run';
import type { TransactionState } from '../../../domain/transactions/state';
import { buildState, addMs } from '../../support/build';
import { flowWithEveryKind } from '../../support/every-kind.flow';
import { planOf } from '../../support/flow-plan';

const timeAt = (minutes: number) => addMs('2026-01-01T19:00:00.000Z', minutes * 60_000);
/** Minutes after the start, such as `+20`. */
const formatMinutes = (instant: string) => `+${(Date.parse(instant) - Date.parse(timeAt(0))) / 60_000}`;

const buildLink = (change: Partial<Biometrics> = {}): Biometrics => ({
  id: 'a',
  origin: 'every-kind/pictures',
  tokenHash: 'hash of a',
  status: 'Waiting',
  createdAt: timeAt(10),
  expiresAt: timeAt(70),
  identifierDate: timeAt(0),
  language: 'en',
  sends: [],
  captures: {},
  taken: 0,
  imageDays: 90,
  ...change,
});

/** A flow run that requested a link after ten minutes, and waits for this link. */
const waitingRun: FlowRun = {
  id: 'r',
  flow: 'every-kind',
  version: 3,
  status: 'Running',
  startedAt: timeAt(0),
  path: [
    { step: 'tell', enteredAt: timeAt(0), leftAt: timeAt(10), exit: 'Delivered' },
    { step: 'pictures', enteredAt: timeAt(10) },
  ],
  awaiting: { biometricsId: 'a' },
  plan: planOf(flowWithEveryKind, 'x'),
};

/** `waitingRun` after it left the step `pictures`. */
function leaveStep(exit: string, minutes: number, change: Partial<FlowRun> = {}): FlowRun {
  const { awaiting: _awaiting, plan: _plan, ...run } = waitingRun;
  const [firstVisit, visit] = run.path;
  const path = [firstVisit, visit && { ...visit, leftAt: timeAt(minutes), exit }].filter((one) => one !== undefined);
  return { ...run, status: 'Completed', outcome: 'Unclear', endedAt: timeAt(minutes), path, ...change };
}

const cancelRun = (minutes: number) => leaveStep('Canceled', minutes, { status: 'Canceled' });
/** After the step `pictures`, the flow run continues. */
const continuedFields: Partial<FlowRun> = { status: 'Running', plan: planOf(flowWithEveryKind, 'x') };
const { endedAt: _endedAt, outcome: _outcome, ...continuedRun } = leaveStep('Undecided', 1_460, continuedFields);

const stateWith = (run: FlowRun | undefined, links: readonly Biometrics[]): TransactionState => ({
  ...buildState({}, timeAt(0)),
  biometrics: [...links],
  ...(run ? { runs: [run] } : {}),
});

const linkInReview = buildLink({ status: 'Processing', submittedAt: timeAt(20) });
const linkWithoutFlow = buildLink({ status: 'Processing', submittedAt: timeAt(20) });
delete linkWithoutFlow.origin;

test.each<[string | undefined, FlowRun | undefined, Biometrics]>([
  ['every-kind/pictures waits for the person until +70', waitingRun, buildLink()],
  ['every-kind/pictures waits for a decision since +20 until +1460', waitingRun, linkInReview],
  [
    'the images of every-kind/pictures wait for a reviewer since +20, but their run has ended',
    leaveStep('Undecided', 1_460),
    linkInReview,
  ],
  [
    'the images of every-kind/pictures wait for a reviewer since +20, but their run has continued',
    continuedRun,
    linkInReview,
  ],
  [
    'the images of every-kind/pictures wait for a reviewer since +20, but their run has ended',
    cancelRun(30),
    linkInReview,
  ],
  ['biometrics waits for a decision since +20', leaveStep('Undecided', 1_460), linkWithoutFlow],
  [undefined, waitingRun, buildLink({ status: 'Expired' })],
])('the first line of the panel says about a link: %s (undefined: nothing)', (line, run, link) => {
  expect(linkWaitText(stateWith(run, [link]), formatMinutes)).toBe(line);
});

const decidedLink = (minutes: number) =>
  buildLink({
    status: 'Approved',
    submittedAt: timeAt(20),
    decision: { status: 'Approved', by: 'reviewer-1', reason: 'because', at: timeAt(minutes) },
  });
const erasedLink = (minutes: number, change: Partial<Biometrics> = {}) =>
  buildLink({ status: 'Canceled', erasedAt: timeAt(minutes), ...change });

test.each<[string, FlowRun | undefined, Biometrics[]]>([
  ['**Waiting**, +10 until +70', waitingRun, [buildLink()]],
  ['**Processing** (since +20 until +1460), from +10', waitingRun, [linkInReview]],
  ['**Processing** (since +20, its run ended +1460), from +10', leaveStep('Undecided', 1_460), [linkInReview]],
  ['**Processing** (since +20, its run continued +1460), from +10', continuedRun, [linkInReview]],
  ['**Approved** (by reviewer-1 +50), +10 to +50', leaveStep('Approved', 50), [decidedLink(50)]],
  [
    '**Approved** (by reviewer-1 +1500, after its run ended +1460), +10 to +1500',
    leaveStep('Undecided', 1_460),
    [decidedLink(1_500)],
  ],
  [
    '**Approved** (by reviewer-1 +1500, after its run continued +1460), +10 to +1500',
    continuedRun,
    [decidedLink(1_500)],
  ],
  ['**Expired**, +10 to +70', leaveStep('Expired', 70), [buildLink({ status: 'Expired' })]],
  ['**Abandoned**, +10 to +70', leaveStep('Abandoned', 70), [buildLink({ status: 'Abandoned' })]],
  ['**Canceled** (with its run), +10 to +30', cancelRun(30), [buildLink({ status: 'Canceled' })]],
  [
    '**Canceled** (with its run), +10 to +30',
    cancelRun(30),
    [buildLink({ status: 'Canceled' }), buildLink({ id: 'b', createdAt: timeAt(90) })],
  ],
  ['**Canceled** (with its run, images erased +40), +10 to +30', cancelRun(30), [erasedLink(40)]],
  ['**Canceled** (images erased +30), +10 to +30', leaveStep('Canceled', 30), [erasedLink(30)]],
  ['**Canceled** (images erased +40), +10 to +40', cancelRun(30), [erasedLink(40, { submittedAt: timeAt(20) })]],
  [
    '**Canceled** (replaced), +10 to +15',
    undefined,
    [buildLink({ status: 'Canceled' }), buildLink({ id: 'b', createdAt: timeAt(15) })],
  ],
  ['**Canceled**, from +10', undefined, [buildLink({ status: 'Canceled' })]],
])('the panel shows a link with the line %s', (text, run, links) => {
  const line = linkLines(stateWith(run, links), formatMinutes).at(-1);
  expect(line?.replace(', 0 of 3 images', '')).toBe(`- every-kind/pictures: ${text}`);
});

test('the newest link comes first', () => {
  const lines = linkLines(
    stateWith(undefined, [buildLink({ status: 'Expired' }), buildLink({ createdAt: timeAt(80) })]),
    formatMinutes,
  );
  expect(lines.map((line) => line.slice(23, 34))).toEqual(['**Waiting**', '**Expired**']);
});
