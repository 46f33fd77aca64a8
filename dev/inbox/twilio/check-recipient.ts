import type { Channel } from '../message';
import { TwilioProblem } from './twilio-problem';

const e164 = /^\+[1-9]\d{6,14}$/;

/** The test numbers of the provider. Each has a fixed result. */
const testNumbers: Record<string, [code: number, reason: string]> = {
  '+15005550001': [21211, 'is not a valid phone number'],
  '+15005550002': [21612, 'cannot be reached from the sender'],
  '+15005550003': [21408, 'is in a region that messages are not enabled for'],
  '+15005550004': [21610, 'has unsubscribed from the sender'],
  '+15005550009': [21614, 'is not a mobile number'],
};

/** Throws for numbers that the provider rejects when a message is created. */
export function checkRecipient(number: string, channel: Channel): void {
  if (!e164.test(number)) throw createRejection(21211, number, 'is not a valid phone number');
  const testNumber = testNumbers[number];
  if (testNumber) throw createRejection(testNumber[0], number, testNumber[1]);
  if (!number.startsWith('+55')) return;
  const nationalNumber = number.slice(3);
  if (nationalNumber.length < 10 || nationalNumber.length > 11)
    throw createRejection(21211, number, 'is not a valid phone number');
  // After a Brazilian area code of two digits, a mobile number has nine digits and a landline eight.
  if (nationalNumber.length === 10 && channel === 'sms') throw createRejection(21614, number, 'is not a mobile number');
}

function createRejection(code: number, number: string, reason: string): TwilioProblem {
  return new TwilioProblem(400, code, `The 'To' number ${number} ${reason}.`);
}
