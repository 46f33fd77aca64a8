import * as fc from 'fast-check';
import { normalOrLong } from '../../support/sample';
import { signedFieldErrors } from '../../../api/providers/twilio';

type Form = Record<string, string>;

const required = ['MessageSid', 'From', 'Body'];
const optional = ['ButtonPayload', 'OptOutType', 'OriginalRepliedMessageSid'];
const errorsOf = (form: Form) => signedFieldErrors(form, required, optional);

const [attacker, victim] = ['+5511988887777', '+5511900001111'];
const [trueId, otherId, answeredId] = ['a', 'b', 'c'].map((digit) => `SM${digit.repeat(32)}`) as [
  string,
  string,
  string,
];

/** What Twilio signs: names and values, sorted by name. */
const signedText = (form: Form) =>
  Object.keys(form)
    .sort()
    .map((name) => `${name}${form[name]}`)
    .join('');

const sharedFields = {
  ...{
    AccountSid: `AC${'0'.repeat(32)}`,
    ApiVersion: '2010-04-01',
    MessageSid: trueId,
    SmsMessageSid: trueId,
    SmsSid: trueId,
  },
  ...{ NumMedia: '0', NumSegments: '1', SmsStatus: 'received', To: '+15005550006' },
};

/** The forms of Twilio, with texts that the sender chooses. */
const genuineForms: Record<string, (text: string, otherText: string) => Form> = {
  sms: (Body) => ({
    ...{
      ...sharedFields,
      Body,
      From: attacker,
      FromCity: '',
      FromCountry: 'BR',
      FromState: '',
      FromZip: '',
      ToCity: '',
    },
    ...{ MessagingServiceSid: `MG${'0'.repeat(32)}`, ToCountry: 'US', ToState: '', ToZip: '' },
  }),
  'sms of a sender with a name': (Body) => ({
    ...{ ...sharedFields, Body, From: 'CitySms', FromCity: 'LONDON', FromCountry: 'GB', FromState: '', FromZip: '' },
  }),
  rcs: (Body) => ({ ...sharedFields, Body, From: `rcs:${attacker}` }),
  whatsapp: (Body, ProfileName) => ({
    ...{ ...sharedFields, Body, From: `whatsapp:${attacker}`, MessageType: 'text', ProfileName, ReferralNumMedia: '0' },
    ChannelMetadata: JSON.stringify({ type: 'whatsapp', data: { context: { ProfileName, WaId: attacker.slice(1) } } }),
    WaId: attacker.slice(1),
  }),
  'a place on WhatsApp': (Label, Address) => ({
    ...{ ...sharedFields, Address, Body: '', From: `whatsapp:${attacker}`, Label, Latitude: '1.5', Longitude: '-2.5' },
  }),
  'a pressed button': (ButtonText, ProfileName) => ({
    ...{ ...sharedFields, Body: ButtonText, ButtonPayload: '1', ButtonText, From: `whatsapp:${attacker}`, ProfileName },
    ...{ OriginalRepliedMessageSender: 'whatsapp:+15005550006', OriginalRepliedMessageSid: answeredId },
  }),
};

/** Texts that contain names of fields and values for them, in any order, and often in the order of an attack. */
const piece = fc.constantFrom(
  ...[
    'Sim',
    'Body',
    'From',
    victim,
    `whatsapp:${victim}`,
    'MessageSid',
    otherId,
    'Sms',
    'OriginalReplied',
    'ProfileName',
  ],
  ...['ButtonPayload', '1', 'City', 'Label', 'NumMedia', 'N', 'Nx', 'X', 'Z', ' ', '+'],
);
const attack = fc.tuple(
  ...[fc.constantFrom('Sim', 'SimSms', ''), fc.constantFrom(`From${victim}`, `Fromwhatsapp:${victim}`, '')],
  ...[fc.constantFrom(`MessageSid${otherId}`, ''), fc.constantFrom(`OriginalRepliedMessageSid${otherId}`, ''), piece],
);
const hostileText = fc.oneof(fc.array(piece, { maxLength: 8 }), attack).map((pieces) => pieces.join(''));

const placesOf = (name: string, text: string) => [...text.matchAll(new RegExp(name, 'g'))].map(({ index }) => index);

/** Names that a new field could have at a place: one letter, one or two words, and everything up to the next sign. */
function namesAt(text: string, place: number): string[] {
  const [run = ''] = /^[A-Z][A-Za-z0-9]*/.exec(text.slice(place)) ?? [];
  const ends = [1, ...placesOf('[A-Z]', run).slice(1, 3), run.length];
  return [...new Set(ends.filter((end) => end <= run.length).map((end) => run.slice(0, end)))].filter(Boolean);
}

/** The first fields of a division. `at`: where the rest of the text begins. `last`: the last field, whose value may still get longer. */
interface Chain {
  at: number;
  form: Form;
  last: string;
}

/**
 * Divides a signed text into fields in all ways that give it a sender and an id of a message at any places where their names are, and
 * perhaps the id of an answered message. What lies between these fields goes into the value of one field with any name.
 */
function* divide(text: string): Generator<Form> {
  const chains: Chain[] = [{ at: 0, form: {}, last: '' }];
  const steps = [
    { name: 'Body', value: /^/, needed: true },
    { name: 'From', value: /^(?:[a-z]+:)?\+\d+/, needed: true },
    { name: 'MessageSid', value: /^SM[a-f]{32}/, needed: true },
    { name: 'OriginalRepliedMessageSid', value: /^SM[a-f]{32}/, needed: false },
    { name: 'SmsMessageSid', value: /^SM[a-f]{32}/, needed: false },
  ];
  for (const { name, value, needed } of steps) {
    const before = chains.splice(0);
    for (const chain of before) {
      if (!needed) chains.push(chain);
      for (const place of placesOf(name, text).filter((index) => index >= chain.at)) {
        const found = value.exec(text.slice(place + name.length));
        if (!found) continue;
        const end = place + name.length + found[0].length;
        for (const form of fill(text, chain, place).filter((filled) => lastOf(filled) < name))
          chains.push({ at: end, form: { ...form, [name]: found[0] }, last: name });
      }
    }
  }
  for (const chain of chains) yield* fill(text, chain, text.length);
}

const lastOf = (form: Form) => Object.keys(form).at(-1) ?? '';

/** Puts the text up to `end` into the value of the last field, if this may have any text, or into one or two new fields with any names. */
function fill(text: string, { at, form, last }: Chain, end: number): Form[] {
  if (at === end) return [form];
  if (last === 'Body') return [{ ...form, Body: text.slice(at, end) }];
  const gap = text.slice(0, end);
  return namesAt(gap, at)
    .filter((name) => name > last)
    .flatMap((name) => {
      const valueAt = at + name.length;
      const one = { ...form, [name]: gap.slice(valueAt) };
      const places = last === 'MessageSid' ? placesOf('[A-Z]', gap).filter((place) => place >= valueAt) : [];
      const two = places.flatMap((place) =>
        namesAt(gap, place)
          .filter((second) => second > name)
          .map((second) => ({
            ...form,
            [name]: gap.slice(valueAt, place),
            [second]: gap.slice(place + second.length),
          })),
      );
      return [one, ...two];
    });
}

const identity = ({ From, MessageSid, OriginalRepliedMessageSid }: Form) => ({
  From,
  MessageSid,
  OriginalRepliedMessageSid,
});

test.each(Object.keys(genuineForms))('no division of a signed text has another sender or another id: %s', (kind) => {
  let divisions = 0;
  fc.assert(
    fc.property(hostileText, hostileText, (text, otherText) => {
      const genuine = genuineForms[kind]?.(text, otherText) ?? {};
      const signed = signedText(genuine);
      for (const forged of divide(signed)) {
        // Only sorted names have the same signature.
        if (signedText(forged) !== signed) continue;
        divisions += 1;
        if (Object.keys(errorsOf(forged)).length === 0) expect(identity(forged)).toEqual(identity(genuine));
      }
    }),
    { numRuns: normalOrLong(20, 100) },
  );
  expect(divisions).toBeGreaterThan(20);
});

test('an id of an answered message in the name of a profile on WhatsApp does not press a button', () => {
  const others = { ...sharedFields, From: `whatsapp:${attacker}`, ReferralNumMedia: '0' };
  const genuine: Form = { ...others, Body: 'xButtonPayload1', ProfileName: `XOriginalRepliedMessageSid${otherId}` };
  const forged: Form = { ...others, ...{ Body: 'x', ButtonPayload: '1', NumSegments: '1ProfileNameX' } };
  forged['OriginalRepliedMessageSid'] = otherId;
  expect(signedText(forged)).toBe(signedText(genuine));
  expect(errorsOf(forged)).toHaveProperty('form');
});

test.each(['Sim', 'From now on, yes', 'From: me', 'Body and ProfileName', 'Erich Fromm', 'FROM +55', 'messageSid'])(
  'a genuine form is accepted with the text or the name "%s"',
  (text) => {
    for (const form of Object.values(genuineForms).filter((_, index) => ![4, 5].includes(index)))
      expect(errorsOf(form(text, text))).toEqual({});
  },
);

test('new fields of Twilio are accepted', () => {
  for (const form of Object.values(genuineForms))
    expect(errorsOf({ ...form('Sim', 'Ana'), Carrier: 'Vivo', MessageFlags: 'x y', ParentSid: otherId })).toEqual({});
});
