import type { PageStep } from '../../domain/biometrics/capture';
import { refusedWith } from '../support/refused';
import { type Told, World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const capture = { imageId: 'i', width: 1200, height: 900, sharpness: 200, brightness: 120 };
const walk: PageStep[] = [
  { step: 'open' },
  { step: 'consent' },
  { step: 'capture', kind: 'documentFront', capture },
  { step: 'capture', kind: 'documentBack', capture },
  { step: 'capture', kind: 'selfie', capture },
  { step: 'submit' },
];

const begun = async (): Promise<Told> => {
  const told = await world.transaction();
  await world.assessed(told);
  return told;
};
const recorded = (told: Told) => world.activities.records.get(told.id);
const walked = async (told: Told, steps: readonly PageStep[], owner = 'mine') => {
  for (const step of steps) await told.step('a', owner, step);
};

test('from link to decision, every step is in the record before it is answered', async () => {
  const told = await begun();
  await told.link('a');
  const statuses: (string | undefined)[] = [];
  for (const step of walk) {
    const { answer } = await told.step('a', 'mine', step);
    expect(recorded(told)?.biometrics?.at(-1)).toEqual(answer);
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([...Array.from({ length: 5 }, () => 'InProgress'), 'Processing']);
  const { answer } = await told.decide('a', 'Approved');
  expect(answer).toMatchObject({ status: 'Approved', decision: { by: 'reviewer-1' } });
  expect(recorded(told)?.scores.map(({ reason }) => reason)).toEqual(['Initial', 'BiometricsChecked']);
  expect(await refusedWith(told.decide('a', 'Rejected'))).toMatchObject({ type: 'NotInReview' });
});

test('two browsers that open a link at once: one owns it', async () => {
  const told = await begun();
  await told.link('a');
  const opened = await Promise.allSettled(['one', 'two'].map((owner) => told.step('a', owner, { step: 'open' })));
  expect(opened.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const owner = recorded(told)?.biometrics?.[0]?.owner ?? '';
  const other = owner === 'one' ? 'two' : 'one';
  expect(await refusedWith(told.step('a', other, { step: 'consent' }))).toMatchObject({ type: 'LinkTaken' });
});

test.each([
  ['never opened', [], 'Expired'],
  ['opened', walk.slice(0, 2), 'Abandoned'],
] as const)('a link that was %s is over after a day', async (_, steps, status) => {
  const told = await begun();
  await told.link('a');
  await walked(told, steps);
  await world.env.sleep('25h');
  expect(recorded(told)?.biometrics?.[0]?.status).toBe(status);
});

test('what was handed in does not expire, and a canceled link keeps no timer', async () => {
  const told = await begun();
  await told.link('b');
  await told.link('a');
  await walked(told, walk);
  await world.env.sleep('25h');
  expect(recorded(told)?.biometrics?.map(({ status }) => status)).toEqual(['Canceled', 'Processing']);
});
