import { personalData } from '../../../domain/transactions/views';
import type { TransactionState } from '../../../domain/transactions/state';
import { smsToken } from '../../../flows/confirmations';
import { buildState } from '../../support/build';

const at = '2026-03-01T12:00:00.000Z';

const state: TransactionState = {
  ...buildState(),
  responses: [{ keyPart: 'u', at, response: {} }],
  confirmations: [
    {
      id: 'c',
      settings: smsToken,
      language: 'en',
      status: 'Waiting',
      createdAt: at,
      expiresAt: at,
      digest: 'SECRET of the code',
      attemptsUsed: 0,
      replacedSends: 0,
      sends: [],
      lastSendNumber: 1,
      log: [],
    },
  ],
  biometrics: [
    {
      id: 'b',
      tokenHash: 'SECRET of the link',
      owner: 'SECRET of the browser',
      status: 'Waiting',
      createdAt: at,
      expiresAt: at,
      identifierDate: at,
      language: 'en',
      sends: [],
      captures: {},
      taken: 0,
      imageDays: 90,
    },
  ],
};

test('an export has everything about the person, and no secret', () => {
  const data = personalData(state);
  expect(data.input).toEqual(state.input);
  expect(data.confirmations).toMatchObject([{ id: 'c', name: 'sms-token', channel: 'sms', status: 'Waiting' }]);
  expect(data.biometrics).toMatchObject([{ id: 'b', status: 'Waiting' }]);
  expect(JSON.stringify(data)).not.toContain('SECRET');
  expect(data).not.toHaveProperty('responses');
});
