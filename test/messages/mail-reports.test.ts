import { readMailReport, stopsMailbox } from '../../messages/mail-reports';
import { bounces, complaint } from '../support/mail-reports';

const original = '<Zm9vYmFy_-1@countersign.local>';

describe('a bounce', () => {
  test.each([
    ['postfix', '5.1.1'],
    ['exim', '5.1.1'],
    ['exchange', '5.1.10'],
    ['gmail', '5.1.1'],
  ] as const)('of %s names the mail, the mailbox and the code', async (system, code) => {
    const report = await readMailReport(bounces[system]({ original }));
    expect(report).toMatchObject({ kind: 'bounce', failures: [{ code }] });
    expect(report?.messageIds[0]).toBe(original);
    expect(report?.kind === 'bounce' && report.failures[0]?.addresses).toContain('anna@example.com');
  });

  test.each([
    ['delayed', '4.4.1'],
    ['delivered', '2.1.5'],
    ['failed', '4.4.7'],
    ['failed', 'unknown'],
    ['delayed', '5.1.1'],
  ])('with the action %s and the status %s is no failure', async (action, status) => {
    const report = await readMailReport(bounces.postfix({ original, action, status }));
    expect(report).toMatchObject({ kind: 'bounce', failures: [] });
  });

  test('with an IP address in its diagnostic code takes no part of it for a code', async () => {
    const mail = bounces.exim({ original }).toString().replace('550-5.1.1 [192.0.2.5]', '550 [5.1.1.9]');
    expect(await readMailReport(Buffer.from(mail))).toMatchObject({ failures: [{ code: '5.0.0' }] });
  });
});

describe('a complaint', () => {
  test.each([
    ['abuse', 'abuse'],
    ['Fraud', 'fraud'],
    ['x'.repeat(31), 'abuse'],
  ])('of the type %s has the code %s', async (type, code) => {
    expect(await readMailReport(complaint({ original, type }))).toEqual({
      ...{ kind: 'complaint', code, messageIds: [original] },
    });
  });

  test('that says that the mail is no spam is none', async () => {
    expect(await readMailReport(complaint({ original, type: 'not-spam' }))).toBeUndefined();
  });
});

/** A mail whose parts are nested this deep. */
function nested(depth: number): string {
  const open = Array.from(
    { length: depth },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
  );
  return `${open.join('')}Content-Type: message/delivery-status\r\n\r\nStatus: 5.1.1\r\n`;
}

test.each([
  ['an empty mail', ''],
  ['no mail', '\u0000\u0001'],
  ['an automatic reply', `In-Reply-To: ${original}\r\nAuto-Submitted: auto-replied\r\n\r\nI am away.`],
  [
    'a report without the part of the report',
    'Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b--',
  ],
  ['a report that is nested too deep', nested(50)],
  ['headers that are too long', `X: ${'x'.repeat(100_000)}\r\n${bounces.postfix({ original }).toString()}`],
])('%s is no report', async (_, mail) => {
  expect(await readMailReport(Buffer.from(mail))).toBeUndefined();
});

const part = (type: string, content: string) => `--b\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;
const reportOf = (status: string) => `Content-Type: multipart/report; boundary=b\r\n\r\n${status}--b--\r\n`;

test.each([
  ['line breaks', (n: number) => reportOf(part('message/delivery-status', '\r\n'.repeat(n / 2)))],
  ['lines', (n: number) => reportOf(part('message/delivery-status', `Status: ${'x'.repeat(20)}\r\n`.repeat(n / 30)))],
  ['spaces', (n: number) => reportOf(part('message/delivery-status', `Status:${'\n '.repeat(n / 2)}`))],
  ['parts', (n: number) => reportOf(part('message/rfc822', '').repeat(n / 40))],
  ['angle brackets', (n: number) => reportOf(part('text/rfc822-headers', `Message-ID: ${'<a'.repeat(n / 2)}`))],
  [
    'digits',
    (n: number) => reportOf(part('message/delivery-status', `Status: 5.0.0\nDiagnostic-Code: ${'5.1.'.repeat(n / 4)}`)),
  ],
  [
    'an address',
    (n: number) =>
      reportOf(
        part('message/delivery-status', `Action: failed\nStatus: 5.1.1\nFinal-Recipient: rfc822;${'a@'.repeat(n / 2)}`),
      ),
  ],
  ['boundaries', (n: number) => `Content-Type: multipart/report; boundary=b\r\n\r\n${'--b\r\n'.repeat(n / 5)}`],
  ['nested parts', (n: number) => nested(n / 60)],
])('a mail of the largest size with many %s is read to its end', async (_, mailOfSize) => {
  await expect(readMailReport(Buffer.from(mailOfSize(256 * 1024)))).resolves.not.toThrow();
});

test('a report names a limited number of mails', async () => {
  const ids = Array.from({ length: 500 }, (_, n) => `<${n}@x>`).join(' ');
  const mail = bounces.gmail({ original }).toString().replace(`References: ${original}`, `References: ${ids}`);
  expect((await readMailReport(Buffer.from(mail)))?.messageIds).toHaveLength(10);
});

test.each([
  ['5.1.1', true],
  ['5.1.2', true],
  ['5.1.10', true],
  ['5.2.1', true],
  ['5.2.2', false],
  ['5.7.1', false],
  ['5.7.26', false],
  ['5.1.5', false],
  ['5.1.7', false],
  ['5.1.8', false],
  ['5.1.0', false],
  ['5.0.0', false],
  ['5.1.11', false],
])('a bounce with the code %s stops the mailbox: %s', (code, stops) => {
  expect(stopsMailbox(code)).toBe(stops);
});
