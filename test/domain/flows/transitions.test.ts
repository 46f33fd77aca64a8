import { edgesOf, transitionsTaken } from '../../../domain/flows/transitions';
import { phoneOnlyFlow } from '../../../flows/examples/phone-only.flow';
import { stepUpFlow } from '../../../flows/examples/step-up.flow';

test('exits to the same step share an arrow', () => {
  const edges = edgesOf(stepUpFlow).filter(({ from, to }) => from === 'risk' || to === 'pictures');
  expect(edges.map(({ from, to, transitions }) => [from, to, transitions.map(({ label }) => label)])).toEqual([
    ['risk', 'tell', ['1. The mailbox is disposable', 'else']],
    ['risk', 'code', ['2. The score is 60 or more']],
    ['tell', 'pictures', ['Delivered', 'Failed']],
  ]);
});

test('only exits on the path count as taken, and not other exits that lead to the same step', () => {
  const path = [{ step: 'risk', exit: 'else' }, { step: 'tell', exit: 'Failed' }, { step: 'pictures' }];
  expect([...transitionsTaken(stepUpFlow, path)]).toEqual(['risk else', 'tell Failed']);
});

test('a flow run that skips a step without remaining visits takes the exhausted transition of this step', () => {
  const path = [{ step: 'code', exit: 'Expired' }, { step: 'code', exit: 'Expired' }, { step: 'expired' }];
  expect([...transitionsTaken(phoneOnlyFlow, path)]).toEqual(['code Expired', 'code exhausted']);
});

test('exits of unknown steps on the path also count as taken', () => {
  const path = [{ step: 'nowhere', exit: 'constructor' }, { step: 'constructor', exit: 'x' }, { step: 'code' }];
  expect([...transitionsTaken(phoneOnlyFlow, path)]).toEqual(['nowhere constructor', 'constructor x']);
});

test('the exit of a failed decision is an arrow to the step in `failed`', () => {
  const steps = {
    judge: { kind: 'decide', rules: [{ when: 'score < 40', then: 'no' }], else: 'yes', failed: 'no' },
    yes: { kind: 'outcome', outcome: 'Yes' },
    no: { kind: 'outcome', outcome: 'No' },
  } as const;
  const arrows = edgesOf({ steps }).map(({ to, transitions }) => [to, transitions.map(({ exit }) => exit)]);
  expect(arrows).toEqual([
    ['no', ['1', 'Failed']],
    ['yes', ['else']],
  ]);
  const path = [{ step: 'judge', exit: 'Failed' }, { step: 'no' }];
  expect([...transitionsTaken({ steps }, path)]).toEqual(['judge Failed']);
});
