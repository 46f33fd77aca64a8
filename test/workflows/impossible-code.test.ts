import { smsToken } from '../../flows/confirmations';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { digestTypedCode } from '../../messages/codes';
import { testKeys } from '../support/build';
import { rejectionOf } from '../support/rejection-of';
import { type TestTransaction, World } from '../support/world';
import * as contract from '../../workflows/contract/commands';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const invalid = { type: 'CodeImpossible', details: { about: { status: 'Invalid', attemptsRemaining: 5 } } };

/** What the API sends for a value that the person typed. */
const typed = ({ id }: TestTransaction, value: string) => ({
  digest: digestTypedCode(testKeys, id, smsToken.name, value),
  digits: value.length,
});

test('a value with another number of digits than the code is wrong, and uses no attempt', async () => {
  const transaction = await world.createTransaction();
  await transaction.request(smsToken);
  const code = transaction.codeOfLastMessage(smsToken);
  const { version } = await transaction.readState();
  const check = (value: string) =>
    transaction.send(contract.checkConfirmationCode, { name: smsToken.name, ...typed(transaction, value) });
  for (const value of ['1234567', '1234567890', `${code}0`])
    expect(await rejectionOf(check(value))).toMatchObject(invalid);
  expect((await transaction.readState()).version).toBe(version);
  expect(await check(code)).toMatchObject({ status: 'Valid' });
});

test('the same holds for a code that a flow run waits for', async () => {
  const transaction = await world.createTransaction();
  const { runId } = await transaction.startFlow(smsTokenFlow);
  const check = (value: string) => {
    const { digest, digits } = typed(transaction, value);
    return transaction.send(contract.checkFlowCode, { runId, digests: { [smsToken.name]: digest }, digits });
  };
  expect(await rejectionOf(check('1234567'))).toMatchObject(invalid);
  expect(await check(transaction.codeOfLastMessage(smsToken))).toMatchObject({ answer: { status: 'Valid' } });
});
