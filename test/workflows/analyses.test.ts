import { defaultPolicy } from '../../domain/scoring/default-policy';
import type { Evidence } from '../../domain/scoring/evidence';
import { smsToken } from '../../flows/sms-token.flow';
import { refusedWith } from '../support/refused';
import { World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const plain: Evidence = { document: { kind: 'CPF', checkDigits: 'right', repeated: false, alphanumeric: false } };
const ring: Evidence = { ...plain, links: { pairs: [], spread: { Phone: { documents: 8, denials: 0 } } } };
const finds = (evidence: Evidence) => {
  world.activities.found = { evidence, policy: defaultPolicy };
};
beforeEach(() => finds(plain));

const begun = async (input = {}) => {
  const told = await world.transaction(input);
  await world.assessed(told);
  return told;
};

test('asked again with nothing changed, the same list is given', async () => {
  const told = await begun();
  const once = await told.analyse('ratings');
  expect(once.ratings?.length).toBe(6);
  expect(await told.analyse('ratings')).toEqual(once);
  expect((await told.analyse('scores')).scores).toHaveLength(1);
});

test('what others did meanwhile is seen, appended and kept', async () => {
  const told = await begun();
  finds(ring);
  const { scores } = await told.analyse('scores');
  expect(scores?.map(({ reason }) => reason)).toEqual(['Initial', 'Reassessed']);
  expect(scores?.[1]?.value).toBeLessThan(scores?.[0]?.value ?? 0);
  expect((await told.analyse('insights')).insights).toContainEqual({ code: 'PH004', relevance: 'Negativo' });
  const record = world.activities.records.get(told.id);
  expect(record?.scores).toMatchObject(scores ?? []);
  expect(record?.evidence?.links).toEqual(ring.links);
});

test('a confirmation after a look is scored by what the look saw', async () => {
  const told = await begun();
  finds(ring);
  await told.analyse('scores');
  await told.request(smsToken);
  await told.answer(smsToken, told.code(smsToken));
  const { scores } = await told.analyse('scores');
  expect(scores?.map(({ reason }) => reason)).toEqual(['Initial', 'Reassessed', 'PhoneChecked']);
  expect(scores?.[2]?.value).toBeLessThan((scores?.[0]?.value ?? 0) + 20);
});

test('a card check needs a card, and its refusal leaves no history', async () => {
  const told = await begun();
  expect(await refusedWith(told.analyse('card'))).toMatchObject({ type: 'CardMissing' });
  const { events } = await told.history();
  expect(events?.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes)).toEqual([]);
  const withCard = await begun({ card: { bin: '411111', last4: '1111' } });
  expect((await withCard.analyse('card')).scores).toHaveLength(1);
});

test('a fault of the engine is told, changes nothing, and the transaction goes on', async () => {
  const told = await begun();
  const before = await told.view();
  world.activities.lookFates.push('fault');
  expect(await refusedWith(told.analyse('insights'))).toMatchObject({ type: 'AnalysisFailed' });
  expect(await told.view()).toEqual(before);
  await told.request(smsToken);
  expect(await told.answer(smsToken, told.code(smsToken))).toMatchObject({ answer: { status: 'Valid' } });
  expect((await told.analyse('insights')).insights?.map(({ code }) => code)).toContain('CF001');
});

test('while the database is away the look goes on, and a repeat with the same key joins it', async () => {
  const told = await begun();
  const looksBefore = world.activities.looks.length;
  world.activities.lookFates.push('outage', 'outage');
  const [one, repeat] = await Promise.all([told.analyse('scores', 'key'), told.analyse('scores', 'key')]);
  expect(repeat).toEqual(one);
  expect(world.activities.looks.length - looksBefore).toBe(3);
});

test('a bureau that has answered is not asked again', async () => {
  const bureau = { findings: [] };
  finds({ ...plain, bureau });
  const told = await begun();
  await told.analyse('scores');
  expect(world.activities.looks.at(-1)).toMatchObject({ id: told.id, bureau });
});

test('a look that a caller asks for while the first is under way loses nothing', async () => {
  const told = await world.transaction();
  const { scores } = await told.analyse('scores');
  await world.assessed(told);
  await told.request(smsToken);
  expect((await told.analyse('scores')).scores).toEqual(scores);
  expect(scores?.map(({ reason }) => reason)).toEqual(['Initial']);
});
