import { maskAddress, maskDocument, maskMailbox, maskPhone } from '../../../domain/lists/list-entries';

test.each([
  ['a phone', maskPhone('+5511987654321', '55'), '+55*********21'],
  ['a phone without a known country', maskPhone('+99912345678'), '+*********78'],
  ['a mailbox', maskMailbox('maria', 'example.com'), 'm***@example.com'],
  ['a mailbox that starts with an emoji', maskMailbox('😀x', 'example.com'), '😀***@example.com'],
  ['a document', maskDocument('CPF', '52998224725'), 'CPF *********25'],
  ['a short document', maskDocument('Other', '1234'), 'Other ****'],
  ['an IPv4 address', maskAddress('203.0.113.7'), '203.0.*.*'],
  ['an IPv6 network', maskAddress('2001:db8:1:2::/64'), '2001:db8:*'],
])('%s is shown without most of its characters', (_, shown, expected) => {
  expect(shown).toBe(expected);
});
