import { maskedDestinationOf, minutesLeftOf } from '../../../domain/confirmations/code-page';
import { emailToken, smsToken, voiceToken } from '../../../flows/confirmations';
import { buildState } from '../../support/build';

test('the page shows the last four digits of a phone, and the first character and the domain of a mailbox', () => {
  const state = buildState({ email: '😀quoted"@"part@mail.example.com' });
  expect(maskedDestinationOf(state, { settings: smsToken })).toBe('**** 4321');
  expect(maskedDestinationOf(state, { settings: voiceToken })).toBe('**** 4321');
  expect(maskedDestinationOf(state, { settings: emailToken })).toBe('😀***@mail.example.com');
});

test.each([
  ['12:00:00', 5],
  ['12:00:01', 4],
  ['12:04:30', 1],
  ['12:06:00', 1],
])('at %s, the page promises not more than the time left: %i min', (time, minutes) => {
  expect(minutesLeftOf({ expiresAt: '2026-01-01T12:05:00.000Z' }, `2026-01-01T${time}.000Z`)).toBe(minutes);
});
